"""The sections of the page, a file each: which blocks stand in which order. What they say comes from the words."""

"""The model that a search has chosen, for those who use it: as a file."""

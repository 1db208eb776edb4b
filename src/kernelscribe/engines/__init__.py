"""How well a kernel explains the data, as a certified interval, and what it says given the data. One folder an engine, one file
a bound, its inequality in the docstring."""

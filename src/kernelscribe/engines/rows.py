"""How many rows are many: the thresholds that decide between engines, once for search, model and report."""

__all__ = ["AFFORDABLE_ROWS", "DENSE_ROWS", "EXACT_ROWS", "MANY_ROWS"]

# Rows up to which a search takes a matrix of all of them thousands of times: below, no bound is worth its looseness.
EXACT_ROWS = 500
# Rows up to which a posterior, of which a report makes some twenty, takes one: a factorisation is less than a second.
DENSE_ROWS = 2000
# Rows up to which a single factorisation is worth its seconds where bounds cannot decide.
AFFORDABLE_ROWS = 12_000
# Rows from which a series is long: values are all but certain then, and looks at all rows dear.
MANY_ROWS = 2000

"""How many rows are many: numbers that searches, fits and reports ask for without any engine."""

__all__ = ["AFFORDABLE_ROWS", "MANY_ROWS"]

# Rows up to which a single Cholesky factorisation is worth its seconds where bounds cannot decide.
AFFORDABLE_ROWS = 12_000
# Rows from which a series is long: values are all but certain then, and looks at all rows dear.
MANY_ROWS = 2000

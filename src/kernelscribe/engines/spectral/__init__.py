"""The engine for one input and any number of rows: kernels as weighted cosines, data as one table of sums."""

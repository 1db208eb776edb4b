"""The engine for one input in order: kernels as sums of exponentials, data as one pass from block to block."""

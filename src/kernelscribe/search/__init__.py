"""Searching for the kernel: candidates, their order, and the journal that survives a crash."""

"""The command line: what it reads, runs, shows and leaves behind."""

"""`python -m kernelscribe`."""

from kernelscribe.cli import main

if __name__ == "__main__":
    main()

"""`python -m kernelscribe`."""

from kernelscribe.app.cli import main

if __name__ == "__main__":
    main()

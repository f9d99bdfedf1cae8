"""`python -m tile2cpp` is the command line."""

from tile2cpp.cli import main

if __name__ == "__main__":
    main()

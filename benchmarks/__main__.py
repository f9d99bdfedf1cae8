"""`python -m benchmarks`, from the root of the repository."""

import sys

from benchmarks.commandline import main

if __name__ == "__main__":  # processes that build kernels import this file, too
    sys.exit(main())

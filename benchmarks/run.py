"""`python benchmarks/run.py [NAME]...` is `python -m benchmarks [NAME]...` from anywhere."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # This folder itself is not a place to import from: its modules belong to the package.
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from benchmarks.commandline import main

    sys.exit(main())

"""``python -m fakestripe``: the same door as the ``fakestripe`` command."""

import sys

from fakestripe.cli import main

if __name__ == "__main__":
    sys.exit(main())

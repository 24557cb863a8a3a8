"""Grade homework: what ``python3 -m helpers grade`` runs."""

import sys

from helpers.homework.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Write what a teacher needs: what ``python3 -m helpers teach`` runs."""

import sys

from helpers.teaching.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

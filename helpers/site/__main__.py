"""Write the reading edition: what ``python3 -m helpers site`` runs."""

import sys

from helpers.site.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

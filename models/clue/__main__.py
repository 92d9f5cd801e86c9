"""Prints the JSON Schema of a Clue record: ``python -m sleuth.models.clue``."""

import json

from .schema import json_schema

if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=2))

"""Prints the JSON Schema of a Cheat record: ``python -m sleuth.models.cheat``."""

import json

from .schema import json_schema

if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=2))

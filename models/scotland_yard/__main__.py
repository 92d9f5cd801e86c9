"""Prints the JSON Schema of a Scotland Yard record: ``python -m sleuth.models.scotland_yard``."""

import json

from .schema import json_schema

if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=2))

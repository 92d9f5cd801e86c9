"""Prints the JSON Schema of a Saboteur record: ``python -m sleuth.models.saboteur``."""

import json
import sys

from ...data.output import print_to_reader
from .record.schema import json_schema

if __name__ == "__main__":
    sys.exit(print_to_reader(json.dumps(json_schema(), indent=2)))

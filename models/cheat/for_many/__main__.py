"""Prints the JSON Schema of a record: ``python -m sleuth.models.cheat.for_many``."""

import json
import sys

from ....data.output import print_to_reader
from .record.schema import many_json_schema as json_schema

if __name__ == "__main__":
    sys.exit(print_to_reader(json.dumps(json_schema(), indent=2)))

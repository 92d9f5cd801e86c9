"""Writes the schema of answers, `docs/answers.schema.json`."""

import json
from pathlib import Path

from sleuth.answers import schema

if __name__ == "__main__":
    path = Path(__file__).parents[1] / "answers.schema.json"
    path.write_text(json.dumps(schema(), indent=1) + "\n", encoding="utf-8")

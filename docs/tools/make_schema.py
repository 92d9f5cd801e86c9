"""Writes the schemas of answers, such as `docs/answers.schema.json`."""

import json
from pathlib import Path

from sleuth.answers import schema

if __name__ == "__main__":
    for of, name in (("reply", "answers"), ("decision", "decision"), ("check", "check")):
        path = Path(__file__).parents[1] / f"{name}.schema.json"
        path.write_text(json.dumps(schema(of), indent=1) + "\n", encoding="utf-8")

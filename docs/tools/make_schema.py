"""Writes the schemas of answers, such as `docs/answers.schema.json`."""

import json
from pathlib import Path

from sleuth.answers import schema

if __name__ == "__main__":
    schemas = {
        "answers": schema(),
        "decision": schema("decision"),
        "check": schema("check"),
        "match": schema("match"),
        "solution": schema("solution"),
        "comparison": schema("comparison"),
        "training": schema("training"),
        "judgement": schema("judgement"),
        "stated": schema("stated"),
    }
    for name, value in schemas.items():
        path = Path(__file__).parents[1] / f"{name}.schema.json"
        path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")

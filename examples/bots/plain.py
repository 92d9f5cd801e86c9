"""A bot in plain Python: any legal action, but the last one with a good card in Kuhn poker.

sleuth match kuhn_poker --agents "bot:python3 examples/bots/plain.py" random
"""

import json
import random
import sys


def answer(message, game, me):
    """The code of a legal action."""
    cards = message["state"].get("cards")  # null stands for what this seat cannot see
    if game == "kuhn_poker" and cards[me["player"]] == 2:
        return message["legal"][-1]
    return me["chance"].choice(message["legal"])


game, me = "", {}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        game = message["game"]
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "game":
        me = {"player": message["player"], "chance": random.Random(message["seed"])}
    elif message["type"] == "move":
        action = answer(message, game, me)
        print(json.dumps({"id": message["id"], "action": action}), flush=True)

"""Three made-up judges of one recorded game, and what `sleuth.judge` finds of each.

All of them start from what is exact before the first event. The exact judge adds up all evidence as
it is. The forgetful one counts only the last few events. To the order-biased one the event that
came last weighs double. Run it as a script for the numbers of docs/judging.md.
"""

import math
from collections.abc import Callable, Mapping

import sleuth

Weight = Callable[[int], float]

#: How much evidence of an age (in events; 0 is what was seen last) weighs to each judge.
JUDGES: Mapping[str, Weight] = {
    "exact": lambda age: 1.0,
    "forgetful": lambda age: 1.0 if age < 4 else 0.0,
    "order-biased": lambda age: 2.0 if age == 0 else 1.0,
}
#: Keeps logarithms of what is ruled out finite.
LEAST = 1e-9


def recorded_game(seed: int = 3) -> sleuth.kit.PlayRecord:
    """A game of Saboteur by five agents who leave signs of their roles."""
    game = sleuth.game("saboteur", players=5)
    agents = [sleuth.agent("dwarf", game, seed=number) for number in range(5)]
    play = sleuth.Play.new(game, seed=seed)
    while not play.over:
        found = agents[play.player].decide(play.view(play.player), play.seen_by(play.player))
        play.apply(int(getattr(found, "action", found)))
    return play.record()


def stated(record: sleuth.kit.PlayRecord, viewer: str, weight: Weight) -> dict[str, object]:
    """What a judge states of the players' roles after every event."""
    asked = sleuth.kit.questionnaire(record, observer=viewer, moments=10_000)
    roles = {each.about for each in asked.questions if each.about.startswith("role")}
    table = sleuth.analyse(record, observer=viewer, agent="none").to_frame()
    answers: list[dict[str, object]] = []
    for about in sorted(roles):
        mine = table[table.variable == about]
        moments = mine.pivot_table(index="event", columns="value", values="probability")
        logs = [
            {value: math.log(max(share, LEAST)) for value, share in row.items()}
            for row in moments.fillna(0.0).to_dict("records")
        ]
        for place, event in enumerate(moments.index.tolist()):
            total = dict(logs[0])
            for number in range(1, place + 1):
                for value, log in logs[number].items():
                    total[value] += weight(place - number) * (log - logs[number - 1][value])
            sizes = {value: math.exp(log) for value, log in total.items()}
            whole = sum(sizes.values())
            shares = {value: size / whole for value, size in sizes.items()}
            answers.append({"event": event, "about": about, "probabilities": shares})
    return {"viewer": viewer, "record_sha256": asked.record_sha256, "answers": answers}


def judged(name: str) -> sleuth.JudgedBeliefs:
    """One of the judges, judged."""
    record = recorded_game()
    return sleuth.judge(record, stated(record, "player 1", JUDGES[name]))


if __name__ == "__main__":
    for judge in JUDGES:
        print(f"{judge}\n{judged(judge)}\n")

"""A posterior shows itself in a notebook."""

from __future__ import annotations

from sleuth import Choice, Deal, Model, Posterior, Walk, compare, infer

from ...data.test_tables import NASTY, Checked

DISTINCT = Deal(["ace", NASTY, "king"], holders={"me": 1, "you": 2}, name="hands")
COPIES = Deal({"coin": 3, "nut": 1}, holders={"left": 2, "right": 2}, name="heaps")
GOLD = Choice("gold", {"left": 0.2, "right": 0.8})


def shown(belief: Posterior) -> str:
    return belief._repr_html_()  # pyright: ignore[reportPrivateUsage]


def test_it_shows_who_has_what_and_the_likeliest_values() -> None:
    belief = infer(Model(DISTINCT, COPIES, GOLD), [DISTINCT.holds("me", "ace", because="mine")])
    text = shown(belief)
    assert Checked(text).open == []
    assert "<script" not in text
    assert '<td>ace</td><td class="share" style="--p:1.00">100 %</td>' in text
    assert "<td>coin</td><td>1.50</td><td>1.50</td>" in text
    assert "heaps: expected number of copies" in text
    assert text.index("80 %") < text.index("20 %")
    assert f"1 observation; {belief.method.replace('_', ' ')} (exact)" in text


def test_what_is_large_is_shown_in_part() -> None:
    cards = Deal(
        [f"c{n}" for n in range(40)],
        holders={f"h{n}": 2 for n in range(20)},
        known={f"h{n}": [f"c{2 * n}", f"c{2 * n + 1}"] for n in range(20)},
    )
    place = Choice("place", range(50))
    text = shown(infer(Model(cards, place)))
    assert "and 10 more items" in text
    assert "and 8 more holders" in text
    assert "and 40 more values" in text
    assert len(text) < 40_000


def test_a_walk_is_shown_where_it_is_now() -> None:
    thief = Walk("thief", ["dock", "inn"], start=["dock"])
    belief = infer(Model(thief), [thief.step({"dock": ["inn"], "inn": ["dock"]})])
    assert '<td>inn</td><td class="share" style="--p:1.00">100 %</td>' in shown(belief)


def test_a_comparison_shows_itself_and_is_a_frame() -> None:
    found = compare(
        Model(GOLD), methods=["enumeration", "forward_filter"], isolate=False, about=GOLD.value()
    )
    text = found._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert Checked(text).open == []
    assert "<td>enumeration</td>" in text
    frame = found.to_frame()
    assert list(frame.method) == ["enumeration", "forward_filter"]
    assert frame.tv[0] == 0.0
    assert list(frame.exact) == [True, True]
    assert [bool(reason) for reason in frame.reason] == [
        bool(result.reason) for result in found.results
    ]

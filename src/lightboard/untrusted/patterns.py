"""Regular expressions that came with a log: which tags they mean, found in a time that no pattern can blow up.

Python's own engine tries one way after the other, and a pattern from a stranger can make it try for years. Here all
ways are followed at once (Thompson): time grows with the length of the pattern times that of the tag. Python's engine
says whether a pattern is one, and which letters an item such as `[^/]` or `\\d` takes; it never sees more.

A pattern has to fit the beginning of the tag, not all of it, as in TensorBoard. Refused are references back, looking
behind, possessive repeats and other rarities. Not here: which tags there are.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from lightboard import cancellation

MAX_PATTERN = 1_000
"""Letters of a pattern."""

MAX_PLACES = 5_000
"""Places in the machine of one pattern: `{n}` makes copies."""

MAX_DEPTH = 40
"""Brackets within brackets."""

MAX_WORK = 3_000_000
"""Places looked at for all patterns of a layout: a few seconds at most."""

MAX_KNOWN = 2_000
"""Sets of places whose ways are remembered for the next tags."""

SPECIAL = frozenset("\\.^$*+?{}[]|()")

Test = Callable[[str, int], bool]
"""Does the letter at a place of a text, or the place itself, fit?"""


class BadPattern(ValueError):
    """No regular expression, or one that is not followed here; says why."""


class Work:
    """What may still be done, shared by several patterns."""

    def __init__(self, left: int = MAX_WORK) -> None:
        self.left = left

    def spend(self, amount: int) -> None:
        """Raises BadPattern when there is nothing left."""
        self.left -= amount
        if self.left < 0:
            raise BadPattern("matching takes too long")


def matching(pattern: str, tags: Iterable[str], work: Work) -> list[str]:
    """The tags whose beginning `pattern` fits, in their order. Raises BadPattern."""
    if not SPECIAL & set(pattern):
        return [tag for tag in tags if tag.startswith(pattern)]
    machine = Machine(pattern)
    found = []
    for tag in tags:
        cancellation.check()
        if machine.fits(tag, work):
            found.append(tag)
    return found


class Edge(NamedTuple):
    """A way on to the place `to`: open where `test` is None or holds; `takes` a letter or none."""

    to: int
    test: Test | None
    takes: bool


class Machine:
    """A pattern as places and the ways between them, from `begin` to `end`. Raises BadPattern."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > MAX_PATTERN:
            raise BadPattern(f"the pattern has more than {MAX_PATTERN} letters")
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise BadPattern(str(error)) from None
        self._text = pattern
        self._at = 0
        self._flags = 0
        self._depth = 0
        self._ahead = False
        self._work = Work()
        self._ways: list[list[Edge]] = []
        self._local = True
        self._known: dict[frozenset[int], dict[str, frozenset[int]]] = {}
        self.begin, self.end = self._choice()

    def fits(self, tag: str, work: Work) -> bool:
        """Does the pattern fit the beginning of `tag`? Raises BadPattern where it takes too long."""
        self._work = work
        work.spend(1 + len(tag) // 16)
        return self._follows(tag) if self._local else self._leads(self.begin, self.end, tag, 0)

    # Following all ways at once

    def _follows(self, text: str) -> bool:
        """As `_leads`, remembering which places a letter led to: tags of one log have much in common.

        Only at the ends of the text do conditions hold, so that between them letters are all that counts.
        """
        places = self._reached({self.begin}, text, 0)
        for here, letter in enumerate(text):
            if self.end in places:
                return True
            if not places:
                return False
            if here + 2 < len(text):
                ways = self._ways_of(places)
                after = ways.get(letter)
                if after is None:
                    after = ways[letter] = self._reached(self._taken(places, text, here), None, 0)
                places = after
            else:
                places = self._reached(self._taken(places, text, here), text, here + 1)
        return self.end in places

    def _ways_of(self, places: frozenset[int]) -> dict[str, frozenset[int]]:
        """Where letters lead from `places`, as far as it is known."""
        if len(self._known) > MAX_KNOWN:
            self._known.clear()
        return self._known.setdefault(places, {})

    def _reached(self, places: set[int], text: str | None, at: int) -> frozenset[int]:
        """All places that are reached from `places` without a letter; without a text no condition holds."""
        self._spread(places, text, at)
        return frozenset(places)

    def _taken(self, places: Iterable[int], text: str, at: int) -> set[int]:
        """The places that the letter at `at` leads to."""
        return {
            way.to for place in places for way in self._ways[place] if way.takes and way.test and way.test(text, at)
        }

    def _leads(self, begin: int, end: int, text: str, at: int) -> bool:
        """Is there a way from `begin` to `end` over the letters from `at` on?"""
        places = {begin}
        for here in range(at, len(text) + 1):
            self._spread(places, text, here)
            if end in places:
                return True
            if here == len(text) or not places:
                return False
            places = self._taken(places, text, here)
        return False

    def _spread(self, places: set[int], text: str | None, at: int) -> None:
        """Adds all places that can be reached without taking a letter."""
        new = list(places)
        while new:
            self._work.spend(1)
            for way in self._ways[new.pop()]:
                if way.takes or way.to in places:
                    continue
                if way.test is None or (text is not None and way.test(text, at)):
                    places.add(way.to)
                    new.append(way.to)

    # Building

    def _place(self) -> int:
        if len(self._ways) >= MAX_PLACES:
            raise BadPattern("the pattern repeats too much")
        self._ways.append([])
        return len(self._ways) - 1

    def _link(self, a: int, b: int, test: Test | None = None, *, takes: bool = False) -> None:
        self._ways[a].append(Edge(b, test, takes))

    def _choice(self) -> tuple[int, int]:
        """Alternatives, up to the bracket that closes them or the end."""
        begin, end = self._place(), self._place()
        while True:
            first, last = self._sequence()
            self._link(begin, first)
            self._link(last, end)
            if self._text[self._at : self._at + 1] != "|":
                return begin, end
            self._at += 1

    def _sequence(self) -> tuple[int, int]:
        begin = end = self._place()
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            first, last = self._repeated()
            self._link(end, first)
            end = last
        return begin, end

    def _repeated(self) -> tuple[int, int]:
        """An item, as often as it may stand there."""
        start = self._at
        item = self._item()
        often = self._count()
        if often is None:
            return item
        least, most = often
        after, self._at = self._at, start
        copies = [item]
        while len(copies) < (least if most is None else most):
            copies.append(self._item())
            self._at = start
        self._at = after
        return self._row(copies if most != 0 else [], least, endless=most is None)

    def _row(self, copies: list[tuple[int, int]], least: int, *, endless: bool) -> tuple[int, int]:
        """Copies one after the other; after the first `least` one may leave before each."""
        begin, end = self._place(), self._place()
        before = begin
        for number, (head, tail) in enumerate(copies):
            if number >= least:
                self._link(before, end)
            self._link(before, head)
            before = tail
        self._link(before, end)
        if endless:
            head, tail = copies[-1]
            self._link(tail, head)
        return begin, end

    def _count(self) -> tuple[int, int | None] | None:
        """Least and most of a quantifier. How greedy it is makes no difference to whether a pattern fits."""
        found = _QUANTIFIER.match(self._text, self._at)
        if found is None:
            return None
        self._at = found.end()
        if found["mark"] == "+":
            raise BadPattern("possessive repeats are not followed")
        if found["sign"]:
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[found["sign"]]
        least = int(found["least"] or 0)
        return least, least if not found["comma"] else int(found["most"]) if found["most"] else None

    def _item(self) -> tuple[int, int]:
        text, at = self._text, self._at
        if text[at] == "(":
            return self._group()
        if text[at] in "^$":
            return self._condition(text[at])
        if text[at] == "\\" and text[at + 1] in "AZzbB":
            return self._condition(text[at : at + 2])
        piece = _LETTER.match(text, at)
        if piece is None:
            raise BadPattern("references back are not followed")
        self._at = piece.end()
        compiled = re.compile(piece[0], self._flags)
        begin, end = self._place(), self._place()
        self._link(begin, end, lambda whole, here: compiled.match(whole[here]) is not None, takes=True)
        return begin, end

    def _condition(self, piece: str) -> tuple[int, int]:
        """Something that holds between two letters."""
        self._at += len(piece)
        if piece in ("\\b", "\\B") or self._flags & re.MULTILINE:
            self._local = False
        compiled = re.compile(piece, self._flags)
        begin, end = self._place(), self._place()
        self._link(begin, end, lambda whole, here: compiled.match(whole, here) is not None)
        return begin, end

    def _group(self) -> tuple[int, int]:
        head = _GROUP.match(self._text, self._at)
        if head is None:
            raise BadPattern("a bracket of this kind is not followed")
        self._at = head.end()
        if head["flags"]:
            self._flags = _flags(head["flags"])
            place = self._place()
            return place, place
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadPattern("brackets lie too deep")
        begin, end = self._choice() if not head["ahead"] else self._looking_ahead(head["ahead"] == "=")
        self._at += 1  # the bracket that closes it is there: Python's engine has seen it
        self._depth -= 1
        return begin, end

    def _looking_ahead(self, wanted: bool) -> tuple[int, int]:
        """What has to follow, or must not."""
        if self._ahead:
            raise BadPattern("looking ahead within looking ahead is not followed")
        self._ahead = True
        self._local = False
        first, last = self._choice()
        self._ahead = False
        begin, end = self._place(), self._place()
        self._link(begin, end, lambda whole, here: self._leads(first, last, whole, here) == wanted)
        return begin, end


_QUANTIFIER = re.compile(r"(?:(?P<sign>[*+?])|\{(?!\})(?P<least>\d*)(?P<comma>,?)(?P<most>\d*)\})(?P<mark>[?+]?)")
_LETTER = re.compile(
    r"\[\^?\]?(?:\\.|[^\]\\])*\]"  # a class
    r"|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|0[0-7]{0,2}|[^1-9])"  # an escape
    r"|[^\\]",
    re.DOTALL,
)
_GROUP = re.compile(r"\((?:\?(?:(?P<flags>[aimsu]+)\)|:|P<\w+>|(?P<ahead>[=!])))?(?!\?)")


def _flags(letters: str) -> int:
    """Flags for the whole pattern; Python's engine has seen that they stand at its beginning."""
    known = {"a": re.ASCII, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "u": re.UNICODE}
    return sum(int(known[letter]) for letter in set(letters))

"""Matches tags against regular expressions from logs, in time linear in the length of the tag.

Python's engine backtracks, and an untrusted pattern can make it run for years. This one simulates an NFA (Thompson):
the time is bounded by the length of the pattern times that of the tag. Python's engine is only used to validate
patterns and to match single characters such as `[^/]` or `\\d`.

As in TensorBoard, a pattern must match the beginning of the tag, not all of it. Not supported are backreferences,
lookbehind, possessive quantifiers and other rare syntax. Not here: which tags there are.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from lightboard import cancellation

MAX_PATTERN = 1_000
"""Limit of the characters of a pattern."""

MAX_STATES = 5_000
"""Limit of the states of one pattern, since `{n}` copies states."""

MAX_DEPTH = 40
"""Limit of nested groups."""

MAX_WORK = 3_000_000
"""Limit of visited states for all patterns of a layout: a few seconds at most."""

MAX_CACHED_SETS = 2_000
"""Limit of cached sets of states."""

SPECIAL = frozenset("\\.^$*+?{}[]|()")

Test = Callable[[str, int], bool]
"""Whether a character of a text, or a position, matches."""


class BadPattern(ValueError):
    """An invalid or unsupported regular expression."""


class MatchBudget:
    """A budget of steps, shared by several patterns."""

    def __init__(self, left: int = MAX_WORK) -> None:
        self.left = left

    def spend(self, amount: int) -> None:
        """Use steps. Raises BadPattern if none are left."""
        self.left -= amount
        if self.left < 0:
            raise BadPattern("matching takes too long")


def match_tags(pattern: str, tags: Iterable[str], budget: MatchBudget) -> list[str]:
    """The tags whose beginning matches `pattern`, in order. Raises BadPattern."""
    if not SPECIAL & set(pattern):
        return [tag for tag in tags if tag.startswith(pattern)]
    nfa = Nfa(pattern)
    matches = []
    for tag in tags:
        cancellation.check()
        if nfa.fits(tag, budget):
            matches.append(tag)
    return matches


class Edge(NamedTuple):
    """A transition to the state `to`, which is taken if `test` is None or true. If `takes`, it consumes a character."""

    to: int
    test: Test | None
    takes: bool


class Nfa:
    """An NFA of a pattern, with the states `begin` and `end`. Raises BadPattern."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > MAX_PATTERN:
            raise BadPattern(f"the pattern has more than {MAX_PATTERN} characters")
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise BadPattern(str(error)) from None
        self._text = pattern
        self._position = 0
        self._flags = 0
        self._depth = 0
        self._in_lookahead = False
        self._budget = MatchBudget()
        self._edges: list[list[Edge]] = []
        self._local = True
        self._cache: dict[frozenset[int], dict[str, frozenset[int]]] = {}
        self.begin, self.end = self._parse_alternatives()

    def fits(self, tag: str, budget: MatchBudget) -> bool:
        """Whether the pattern matches the beginning of `tag`. Raises BadPattern if it takes too long."""
        self._budget = budget
        budget.spend(1 + len(tag) // 16)
        return self._matches_with_cache(tag) if self._local else self._matches(self.begin, self.end, tag, 0)

    # Simulation

    def _matches_with_cache(self, text: str) -> bool:
        """As `_matches`, with a cache of transitions, since tags of one log are similar.

        Assertions can only hold at the ends of the text, so transitions in between depend only on characters.
        """
        states = self._closure({self.begin}, text, 0)
        for index, character in enumerate(text):
            if self.end in states:
                return True
            if not states:
                return False
            if index + 2 < len(text):
                transitions = self._transitions_of(states)
                after = transitions.get(character)
                if after is None:
                    after = transitions[character] = self._closure(self._step(states, text, index), None, 0)
                states = after
            else:
                states = self._closure(self._step(states, text, index), text, index + 1)
        return self.end in states

    def _transitions_of(self, states: frozenset[int]) -> dict[str, frozenset[int]]:
        """The cached transitions of a set of states."""
        if len(self._cache) > MAX_CACHED_SETS:
            self._cache.clear()
        return self._cache.setdefault(states, {})

    def _closure(self, states: set[int], text: str | None, index: int) -> frozenset[int]:
        """All states reachable from `states` without consuming a character. Without a text no assertion holds."""
        self._add_reachable(states, text, index)
        return frozenset(states)

    def _step(self, states: Iterable[int], text: str, index: int) -> set[int]:
        """The states after consuming the character at `index`."""
        return {
            edge.to
            for state in states
            for edge in self._edges[state]
            if edge.takes and edge.test and edge.test(text, index)
        }

    def _matches(self, begin: int, end: int, text: str, start: int) -> bool:
        """Whether a prefix of the text from `start` leads from the state `begin` to `end`."""
        states = {begin}
        for index in range(start, len(text) + 1):
            self._add_reachable(states, text, index)
            if end in states:
                return True
            if index == len(text) or not states:
                return False
            states = self._step(states, text, index)
        return False

    def _add_reachable(self, states: set[int], text: str | None, index: int) -> None:
        """Add all states that are reachable without consuming a character."""
        new = list(states)
        while new:
            self._budget.spend(1)
            for edge in self._edges[new.pop()]:
                if edge.takes or edge.to in states:
                    continue
                if edge.test is None or (text is not None and edge.test(text, index)):
                    states.add(edge.to)
                    new.append(edge.to)

    # Construction

    def _new_state(self) -> int:
        if len(self._edges) >= MAX_STATES:
            raise BadPattern("the pattern is too large after expanding its repetitions")
        self._edges.append([])
        return len(self._edges) - 1

    def _link(self, a: int, b: int, test: Test | None = None, *, takes: bool = False) -> None:
        self._edges[a].append(Edge(b, test, takes))

    def _parse_alternatives(self) -> tuple[int, int]:
        """Parse alternatives up to a closing parenthesis or the end."""
        begin, end = self._new_state(), self._new_state()
        while True:
            first, last = self._parse_sequence()
            self._link(begin, first)
            self._link(last, end)
            if self._text[self._position : self._position + 1] != "|":
                return begin, end
            self._position += 1

    def _parse_sequence(self) -> tuple[int, int]:
        begin = end = self._new_state()
        while self._position < len(self._text) and self._text[self._position] not in "|)":
            first, last = self._parse_repetition()
            self._link(end, first)
            end = last
        return begin, end

    def _parse_repetition(self) -> tuple[int, int]:
        """Parse an item with its quantifier."""
        start = self._position
        item = self._parse_item()
        quantifier = self._parse_quantifier()
        if quantifier is None:
            return item
        least, most = quantifier
        after, self._position = self._position, start
        copies = [item]
        while len(copies) < (least if most is None else most):
            copies.append(self._parse_item())
            self._position = start
        self._position = after
        return self._link_copies(copies if most != 0 else [], least, endless=most is None)

    def _link_copies(self, copies: list[tuple[int, int]], least: int, *, endless: bool) -> tuple[int, int]:
        """Link copies in sequence. Those after the first `least` are optional, and `endless` repeats the last one."""
        begin, end = self._new_state(), self._new_state()
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

    def _parse_quantifier(self) -> tuple[int, int | None] | None:
        """Parse a quantifier to its minimum and maximum. Greediness does not affect whether a pattern matches."""
        match = _QUANTIFIER.match(self._text, self._position)
        if match is None:
            return None
        self._position = match.end()
        if match["mark"] == "+":
            raise BadPattern("possessive quantifiers are not supported")
        if match["sign"]:
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[match["sign"]]
        least = int(match["least"] or 0)
        return least, least if not match["comma"] else int(match["most"]) if match["most"] else None

    def _parse_item(self) -> tuple[int, int]:
        text, position = self._text, self._position
        if text[position] == "(":
            return self._parse_group()
        if text[position] in "^$":
            return self._parse_assertion(text[position])
        if text[position] == "\\" and text[position + 1] in "AZzbB":
            return self._parse_assertion(text[position : position + 2])
        piece = _LETTER.match(text, position)
        if piece is None:
            raise BadPattern("backreferences are not supported")
        self._position = piece.end()
        compiled = re.compile(piece[0], self._flags)
        begin, end = self._new_state(), self._new_state()
        self._link(begin, end, lambda whole, index: compiled.match(whole[index]) is not None, takes=True)
        return begin, end

    def _parse_assertion(self, piece: str) -> tuple[int, int]:
        """Parse an assertion such as `^` or `\\b`."""
        self._position += len(piece)
        if piece in ("\\b", "\\B") or self._flags & re.MULTILINE:
            self._local = False
        compiled = re.compile(piece, self._flags)
        begin, end = self._new_state(), self._new_state()
        self._link(begin, end, lambda whole, index: compiled.match(whole, index) is not None)
        return begin, end

    def _parse_group(self) -> tuple[int, int]:
        head = _GROUP.match(self._text, self._position)
        if head is None:
            raise BadPattern("this kind of group is not supported")
        self._position = head.end()
        if head["flags"]:
            self._flags = _flags(head["flags"])
            state = self._new_state()
            return state, state
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadPattern("groups are nested too deeply")
        begin, end = self._parse_alternatives() if not head["ahead"] else self._parse_lookahead(head["ahead"] == "=")
        self._position += 1  # the closing bracket exists: Python's engine has checked
        self._depth -= 1
        return begin, end

    def _parse_lookahead(self, positive: bool) -> tuple[int, int]:
        """Parse a lookahead."""
        if self._in_lookahead:
            raise BadPattern("nested lookaheads are not supported")
        self._in_lookahead = True
        self._local = False
        first, last = self._parse_alternatives()
        self._in_lookahead = False
        begin, end = self._new_state(), self._new_state()
        self._link(begin, end, lambda whole, index: self._matches(first, last, whole, index) == positive)
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
    """Flags of the whole pattern. Python's engine has checked that they are at its beginning."""
    known = {"a": re.ASCII, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "u": re.UNICODE}
    return sum(int(known[letter]) for letter in set(letters))

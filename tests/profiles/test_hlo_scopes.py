"""Scopes of operations of XLA, from programs that are legal and rare, damaged, or too large."""

import json
from typing import Any

import pytest

from lightboard.errors import Unshowable
from lightboard.profiles import hlo
from lightboard.profiles.hlo import UNREADABLE, HloKey, HloOps, read_scopes
from lightboard.profiles.operators import operators_of
from lightboard.testing.event_files import bytes_field, varint_field
from support.profiles import PROFILES, read_path, read_space, x_line, x_names, x_space

ANSWERS: dict[str, Any] = json.loads((PROFILES / "hlo.answers.json").read_text())

STATS = {1: "hlo_op", 2: "program_id", 3: "Hlo Proto", 4: "dot.1", 5: "command_buffer"}


def instruction(name: str, scope: str = "") -> bytes:
    """The field of a computation with an HloInstruction."""
    metadata = bytes_field(7, bytes_field(2, scope.encode())) if scope else b""
    return bytes_field(2, bytes_field(1, name.encode()) + bytes_field(2, b"dot") + metadata)


def program(number: int, *instructions: bytes) -> bytes:
    """The field of the plane of programs with an HloProto."""
    module = bytes_field(1, bytes_field(1, b"jit_step") + bytes_field(3, b"".join(instructions)))
    stats = bytes_field(5, varint_field(1, 3) + bytes_field(6, module))
    stats += bytes_field(5, varint_field(1, 2) + varint_field(3, number))
    return bytes_field(4, varint_field(1, number) + bytes_field(2, bytes_field(2, b"jit_step") + stats))


def programs(*entries: bytes) -> bytes:
    """The plane of programs."""
    return bytes_field(2, b"/host:metadata") + x_names(5, STATS) + b"".join(entries)


def ran(*ops: tuple[int, int], name: str = "kernel.1") -> bytes:
    """A plane where operations of these stats and programs ran."""
    events = []
    for op, number in ops:
        stats = bytes_field(4, varint_field(1, 1) + varint_field(7, op)) + bytes_field(
            4, varint_field(1, 2) + varint_field(3, number)
        )
        events.append(bytes_field(4, varint_field(1, 1) + varint_field(3, 5000) + stats))
    return bytes_field(2, b"/host:CPU") + x_names(4, {1: name}) + x_names(5, STATS) + x_line(*events)


def scopes(*planes: bytes) -> list[str]:
    """The scopes of operators."""
    return sorted(row.scope for row in operators_of([read_space(x_space(*planes))]))


def test_an_operation_has_the_scope_of_its_instruction() -> None:
    plane = programs(program(7, instruction("dot.1", "jit(step)/dot")))

    assert scopes(plane, ran((4, 7))) == scopes(ran((4, 7)), plane) == ["jit(step)/dot"]


def test_operations_of_the_same_name_have_the_scopes_of_their_programs() -> None:
    plane = programs(program(7, instruction("dot.1", "a")), program(8, instruction("dot.1", "b")))

    assert scopes(plane, ran((4, 7), (4, 8), (4, 9))) == ["", "a", "b"]


def test_kernels_of_a_command_buffer_have_the_scopes_of_what_they_are_called_after() -> None:
    plane = programs(program(7, instruction("fused-add.2", "a"), instruction("command_buffer")))

    assert scopes(plane, ran((5, 7), name="fused_add_2")) == ["a"]


def test_a_kernel_that_two_instructions_may_be_has_no_scope() -> None:
    plane = programs(program(7, instruction("add.2", "a"), instruction("add-2", "b")))

    assert scopes(plane, ran((5, 7), name="add_2")) == [""]


def test_captures_without_programs_have_no_scopes() -> None:
    capture = read_space(x_space(ran((4, 7))))

    assert (capture.scope.tolist(), capture.scope_names, capture.problems) == ([], [], [])


@pytest.mark.parametrize("limit", ["MAX_COMPUTATION_BYTES", "MAX_INSTRUCTIONS"])
def test_programs_that_are_too_large_leave_scopes_out(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hlo, limit, 1)
    plane = programs(program(7, instruction("dot.1", "a"), instruction("dot.2", "b")))
    capture = read_space(x_space(plane, ran((4, 7))))

    assert (len(capture.slices), capture.scope_names, capture.problems) == (1, [], [UNREADABLE])


def test_damaged_programs_leave_scopes_out() -> None:
    plane = programs(program(7, b"\xff\xff"), program(8, instruction("dot.1", "b")))
    capture = read_space(x_space(plane, ran((4, 7), (4, 8))))

    assert (capture.scope_names, capture.problems) == (["", "b"], [UNREADABLE])


def test_programs_that_are_cut_off_anywhere_harm_nothing() -> None:
    data = x_space(ran((4, 7)), programs(program(7, instruction("dot.1", "jit(step)/dot"))))
    found = set[str]()
    for end in range(len(data) + 1):
        try:
            found |= {row.scope for row in operators_of([read_space(data[:end])])}
        except Unshowable:
            continue

    assert found == {"", "jit(step)/dot"}


@pytest.mark.parametrize("path", ANSWERS)
def test_scopes_are_those_that_xla_prints(path: str) -> None:
    data = (PROFILES / path).read_bytes()
    wanted = [(int(number), op, scope) for number, each in ANSWERS[path].items() for op, scope in each.items()]
    ops = [op for _, op, _ in wanted]
    keys = [HloKey(number, at, 0) for at, (number, _, _) in enumerate(wanted)]
    found, problems = read_scopes(
        HloOps(read_path(PROFILES / path).slices.track[:0], keys, ops),
        [""],
        lambda offset, length: data[offset : offset + length],
        len(data),
    )

    assert ([scope for _, _, scope in wanted], []) == (found, problems)
    assert any(found)


def test_long_scopes_are_cut() -> None:
    assert scopes(programs(program(7, instruction("dot.1", "x" * 5000))), ran((4, 7))) == ["x" * 1000]

"""Tags of a run, merged over its event files."""

from lightboard.events.decode import new_decoder
from lightboard.series.timeseries import Tag, merge
from lightboard.testing import event_files as ef

SCALARS = ef.summary_metadata("scalars", display_name="first")
SCALARS_LATER = ef.summary_metadata("scalars", display_name="later")
TEXT = ef.summary_metadata("text")


def decoder(*records):
    made = new_decoder()
    made.feed(b"".join(records))
    return made


def number(tag, metadata=b""):
    return ef.tensor_record(tag, 1, ef.tensor(ef.FLOAT, [1.0]), metadata=metadata)


def test_no_files_no_tags():
    """A run without files has an empty table."""
    assert merge([]) == ({}, [])


def test_a_tag_has_one_part_per_file_in_file_order():
    """A file without the series takes part with -1: its restarts still count."""
    files = [decoder(number("a", SCALARS)), decoder(number("b", SCALARS)), decoder(number("b"), number("a"))]
    parts = {name: tag.parts for name, tag in merge(files).primary.items()}
    assert parts == {
        "a": [(files[0], 0), (files[1], -1), (files[2], 1)],
        "b": [(files[0], -1), (files[1], 0), (files[2], 0)],
    }


def test_metadata_of_the_first_file_that_has_it_wins():
    """Files before it that have none and files after it that have another do not count."""
    files = [decoder(number("a")), decoder(number("a", SCALARS)), decoder(number("a", SCALARS_LATER))]
    parts = [(file, 0) for file in files]
    assert merge(files).primary == {"a": Tag("a", "scalars", "scalar", SCALARS, parts, 1)}


def test_number_without_metadata_anywhere_is_of_unknown_kind():
    """A bare tensor is not a scalar because it looks like one."""
    (tag,) = merge([decoder(number("a")), decoder(number("a"))]).all
    assert (tag.plugin, tag.form, tag.metadata) == ("", "scalar", b"")


def test_tag_in_two_forms_is_what_its_first_metadata_says():
    """The number without metadata came first, the text with metadata decides; the number is kept beside it."""
    text = ef.tensor_record("a", 1, ef.tensor(ef.STRING, [b"words"]), metadata=TEXT)
    table = merge([decoder(number("a")), decoder(text)])
    assert (
        {name: tag.plugin for name, tag in table.primary.items()},
        sorted((tag.name, tag.plugin, tag.form) for tag in table.all),
    ) == ({"a": "text"}, [("a", "", "scalar"), ("a", "text", "reference")])


def test_first_of_two_described_forms_is_the_tag():
    """With metadata on both, the one that came first is the tag."""
    text = ef.tensor_record("a", 1, ef.tensor(ef.STRING, [b"words"]), metadata=TEXT)
    assert merge([decoder(number("a", SCALARS)), decoder(text)]).primary["a"].plugin == "scalars"
    assert merge([decoder(text), decoder(number("a", SCALARS))]).primary["a"].plugin == "text"

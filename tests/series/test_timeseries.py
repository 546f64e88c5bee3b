"""Tags of a run, merged over its event files."""

from lightboard.events.decode import new_decoder
from lightboard.series.timeseries import Tag, merge
from lightboard.testing import event_files as ef

SCALARS = ef.summary_metadata("scalars", display_name="first")
SCALARS_LATER = ef.summary_metadata("scalars", display_name="later")
TEXT = ef.summary_metadata("text")


def decoder_of(*records):
    decoder = new_decoder()
    decoder.feed(b"".join(records))
    return decoder


def number(tag, metadata=b""):
    return ef.tensor_record(tag, 1, ef.tensor(ef.FLOAT, [1.0]), metadata=metadata)


def test_runs_without_files_have_no_tags():
    """The table is empty."""
    assert merge([]) == ({}, [])


def test_a_tag_has_one_part_per_file_in_file_order():
    """Files without the series have the index -1, because their restarts count."""
    files = [decoder_of(number("a", SCALARS)), decoder_of(number("b", SCALARS)), decoder_of(number("b"), number("a"))]
    parts = {name: tag.parts for name, tag in merge(files).primary.items()}
    assert parts == {
        "a": [(files[0], 0), (files[1], -1), (files[2], 1)],
        "b": [(files[0], -1), (files[1], 0), (files[2], 0)],
    }


def test_the_first_metadata_wins():
    """Over missing metadata before it and other metadata after it."""
    files = [decoder_of(number("a")), decoder_of(number("a", SCALARS)), decoder_of(number("a", SCALARS_LATER))]
    parts = [(file, 0) for file in files]
    assert merge(files).primary == {"a": Tag("a", "scalars", "scalar", SCALARS, parts, 1)}


def test_numbers_without_metadata_have_no_plugin():
    """Bare tensors are not scalars just because they look like them."""
    (tag,) = merge([decoder_of(number("a")), decoder_of(number("a"))]).all
    assert (tag.plugin, tag.form, tag.metadata) == ("", "scalar", b"")


def test_metadata_decides_the_form_of_a_tag():
    """Even if a number without metadata came first. It is kept beside the tag."""
    text = ef.tensor_record("a", 1, ef.tensor(ef.STRING, [b"words"]), metadata=TEXT)
    table = merge([decoder_of(number("a")), decoder_of(text)])
    assert (
        {name: tag.plugin for name, tag in table.primary.items()},
        sorted((tag.name, tag.plugin, tag.form) for tag in table.all),
    ) == ({"a": "text"}, [("a", "", "scalar"), ("a", "text", "reference")])


def test_the_first_described_form_wins():
    """If both forms have metadata."""
    text = ef.tensor_record("a", 1, ef.tensor(ef.STRING, [b"words"]), metadata=TEXT)
    assert merge([decoder_of(number("a", SCALARS)), decoder_of(text)]).primary["a"].plugin == "scalars"
    assert merge([decoder_of(text), decoder_of(number("a", SCALARS))]).primary["a"].plugin == "text"

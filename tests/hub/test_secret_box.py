"""Encryption of secrets in the database."""

import pytest

from lightboard.hub.secret_box import NONCE_BYTES, SecretBox

KEY, OTHER = b"k" * 32, b"o" * 32
PLACE = ("prj_1", "HF_TOKEN")


@pytest.mark.parametrize("text", ["s3cret", "", "schlüssel \U0001f511\n", "x" * 65_536])
def test_a_text_comes_back(text: str) -> None:
    """Whatever it is."""
    box = SecretBox(KEY)

    assert box.decrypt(box.encrypt(text, *PLACE), *PLACE) == text


def test_the_same_text_looks_different_each_time() -> None:
    """So that equal secrets cannot be told."""
    box = SecretBox(KEY)

    assert len({box.encrypt("s3cret", *PLACE) for _ in range(100)}) == 100


@pytest.mark.parametrize("place", [("prj_2", "HF_TOKEN"), ("prj_1", "OTHER"), ("prj_1HF", "_TOKEN"), ()])
def test_a_text_cannot_be_moved(place: tuple[str, ...]) -> None:
    """Not even by somebody who writes to the database: a secret of one project is not decrypted for another."""
    box = SecretBox(KEY)
    sealed = box.encrypt("s3cret", *PLACE)

    with pytest.raises(ValueError, match="another key"):
        box.decrypt(sealed, *place)


def test_a_changed_text_is_refused() -> None:
    """Whichever byte it is, and however much is missing."""
    box = SecretBox(KEY)
    sealed = box.encrypt("s3cret", *PLACE)
    broken = [sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :] for at in range(len(sealed))]
    broken += [sealed[:length] for length in range(len(sealed))]

    accepted = []
    for each in broken:
        try:
            accepted.append(box.decrypt(each, *PLACE))
        except ValueError:
            continue
    assert accepted == []


def test_another_key_does_not_decrypt() -> None:
    """That of another hub."""
    with pytest.raises(ValueError, match="another key"):
        SecretBox(OTHER).decrypt(SecretBox(KEY).encrypt("s3cret", *PLACE), *PLACE)


def test_nothing_of_the_text_is_in_clear() -> None:
    """Only its length shows."""
    sealed = SecretBox(KEY).encrypt("s3cret" * 10, *PLACE)

    assert b"s3cret" not in sealed
    assert len(sealed) == 1 + NONCE_BYTES + 60 + 16

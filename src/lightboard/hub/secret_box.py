"""Encrypts what the database stores but must not tell: AES-256-GCM, with a key derived from that of the hub."""

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES, NONCE_BYTES = 32, 12
FORMAT = b"\x01"
"""The first byte of what was encrypted like this, so that others can follow."""


class SecretBox:
    """`place` is where a text is stored: what was encrypted for one place is not decrypted in another."""

    def __init__(self, key: bytes) -> None:
        derived = HKDF(SHA256(), KEY_BYTES, salt=None, info=b"lightboard.secrets").derive(key)
        self._cipher = AESGCM(derived)

    def encrypt(self, text: str, *place: str) -> bytes:
        """The encrypted text, different each time."""
        nonce = os.urandom(NONCE_BYTES)
        return FORMAT + nonce + self._cipher.encrypt(nonce, text.encode(), associated_data(place))

    def decrypt(self, sealed: bytes, *place: str) -> str:
        """The text. Raises ValueError if it was changed, moved, or encrypted with another key."""
        nonce, rest = sealed[len(FORMAT) : len(FORMAT) + NONCE_BYTES], sealed[len(FORMAT) + NONCE_BYTES :]
        if sealed[: len(FORMAT)] != FORMAT or len(nonce) < NONCE_BYTES:
            raise ValueError("this is not an encrypted text")
        try:
            return self._cipher.decrypt(nonce, rest, associated_data(place)).decode()
        except InvalidTag:
            raise ValueError("the text was changed, or encrypted with another key") from None


def associated_data(place: tuple[str, ...]) -> bytes:
    """A place as bytes, different for different places."""
    return b"\0".join(part.encode() for part in place)

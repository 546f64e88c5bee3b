"""The provider over a catalog passes the tests of all providers."""

from lightboard.query.provider import Provider
from lightboard.testing.provider import SAMPLE, ProviderTests, memory_provider


class TestCatalogProvider(ProviderTests):
    """Real decoders over files in memory."""

    def provider(self) -> Provider:
        return memory_provider(SAMPLE)

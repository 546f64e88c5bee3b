"""The provider over a catalog passes the tests of all providers."""

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider, Provider
from lightboard.testing.event_files import version_record
from lightboard.testing.fakes import MemoryBoard
from lightboard.testing.provider import SAMPLE, ProviderTests, memory_provider


class TestCatalogProvider(ProviderTests):
    """Real decoders over files in memory."""

    def provider(self) -> Provider:
        return memory_provider(SAMPLE)

    def test_model_files_are_listed_once_until_files_change(self) -> None:
        board = MemoryBoard({"a/events.out.tfevents.0": version_record(), "a/model.onnx": b""})
        provider = CatalogProvider(board.catalog, BoardSettings(logdir="memory"))
        listed = provider.graph_files()
        again = provider.graph_files()
        board.storage.write("a/other.onnx", b"")
        board.refresh()

        assert again is listed
        assert [[file.name for file in index.files] for index in (listed, provider.graph_files())] == [
            ["model.onnx"],
            ["model.onnx", "other.onnx"],
        ]

    def test_captures_are_listed_once_until_files_change(self) -> None:
        board = MemoryBoard({"a/events.out.tfevents.0": version_record(), "a/host.trace.json": b"[]"})
        store = CatalogProvider(board.catalog, BoardSettings(logdir="memory")).profiles()
        listed = store.captures()
        again = store.captures()
        board.storage.write("b/host.trace.json", b"[]")
        board.refresh()

        assert again is listed
        assert [[capture.name for capture in captures] for captures in (listed, store.captures())] == [
            ["a"],
            ["a", "b"],
        ]
        assert [store.find(name).name for name in "ab"] == ["a", "b"]

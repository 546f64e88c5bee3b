"""Reads the numbers of entries in any supported format, and caches them."""

from collections.abc import Hashable

from lightboard.errors import Unshowable
from lightboard.lru_cache import LruCache
from lightboard.query.projector import checkpoint, h5, npy, numbers
from lightboard.query.projector.checkpoint import Index, Variable
from lightboard.query.projector.entries import INDEX, WEIGHTS, Entry, Variables
from lightboard.query.projector.folder import File, Folder, base_name, open_file
from lightboard.query.projector.matrix import MAX_NUMBERS, Matrix, Size, read_exactly
from lightboard.storage.base import split

MAX_CACHED_BYTES = 1 << 30
HEAD_BYTES = 4096


class Tables(Variables):
    """Reads and caches tables. Files that have changed are read again."""

    def __init__(self) -> None:
        self._matrices: LruCache[Matrix] = LruCache(MAX_CACHED_BYTES, lambda matrix: matrix.nbytes)
        self._sizes: LruCache[Size] = LruCache(10_000, lambda _: 1)
        self._indices: LruCache[Index] = LruCache(100_000, lambda index: 1 + len(index.variables))
        self._tables: LruCache[list[h5.Table]] = LruCache(100_000, lambda tables: 1 + len(tables))

    def names(self, checkpoint: File) -> list[str]:
        """See Variables."""
        if checkpoint.info.path.endswith(WEIGHTS):
            return [table.path for table in self._weights(checkpoint)]
        variables = self._index(checkpoint).variables.values()
        return [variable.name for variable in variables if usable(variable)]

    def stamp(self, entry: Entry) -> Hashable:
        """A key that changes with the file of the entry. Raises Unshowable."""
        return *stamp_of(file_of(entry)), entry.variable, entry.embedding.shape

    def size(self, entry: Entry) -> Size:
        """The number of rows and columns. Raises Unshowable."""
        return self._sizes.get(self.stamp(entry), lambda: self._size(entry).check(entry.name))

    def rows(self, entry: Entry) -> Matrix:
        """The first `Size.held` rows, as float32. Raises Unshowable."""
        return self._matrices.get(self.stamp(entry), lambda: self._rows(entry))

    def _size(self, entry: Entry) -> Size:
        file = file_of(entry)
        if entry.checkpoint is not None:
            if file.info.path.endswith(WEIGHTS):
                return next(table.size for table in self._weights(file) if table.path == entry.variable)
            return Size(*self._index(file).variables[entry.variable].shape)
        match form_of(file):
            case "npz":
                return npy.npz_member(file)[1].size
            case "npy":
                return npy.npy_size(file)
            case "tsv":
                return numbers.tsv_size(file)
            case _:
                return numbers.raw_size(file, entry.embedding.shape)

    def _rows(self, entry: Entry) -> Matrix:
        size, file = self.size(entry), file_of(entry)
        if entry.checkpoint is not None:
            if file.info.path.endswith(WEIGHTS):
                return h5.rows_of(file, entry.variable)
            return variable_rows(entry.checkpoint, self._index(file), entry.variable)
        match form_of(file):
            case "npz":
                return npy.npz_rows(file)
            case "npy":
                return npy.npy_file_rows(file)
            case "tsv":
                return numbers.tsv_rows(file, size)
            case _:
                return numbers.raw_rows(file, size)

    def _index(self, file: File) -> Index:
        return self._indices.get(stamp_of(file), lambda: checkpoint.parse_index(file.all(checkpoint.MAX_INDEX_BYTES)))

    def _weights(self, file: File) -> list[h5.Table]:
        return self._tables.get(stamp_of(file), lambda: h5.tables_in(file))


def file_of(entry: Entry) -> File:
    """The file with the numbers, or the index of their checkpoint. Raises Unshowable."""
    if entry.problem:
        raise Unshowable(entry.problem)
    return entry.checkpoint if entry.checkpoint is not None else open_file(entry.folder, entry.embedding.tensor_path)


def stamp_of(file: File) -> tuple[Hashable, ...]:
    """A key that changes with the file."""
    return file.storage.url, *file.info


def form_of(file: File) -> str:
    """The format of a file: tsv, npy, npz or raw."""
    head = file.read(0, HEAD_BYTES)
    if file.info.path.endswith(".npz"):
        return "npz"
    if head.startswith(npy.MAGIC):
        return "npy"
    return "tsv" if numbers.is_text(head) else "raw"


def usable(variable: Variable) -> bool:
    """Whether a variable of a checkpoint can be shown."""
    return checkpoint.is_table(variable) and not variable.sliced


def variable_rows(index_file: File, index: Index, name: str) -> Matrix:
    """The rows of one variable of a checkpoint, or as many as fit. Raises Unshowable."""
    variable = index.variables[name]
    rows, dims = variable.shape
    if variable.size % rows:
        raise Unshowable(f"variable {name!r} of the checkpoint is damaged")
    count = min(rows, MAX_NUMBERS // dims)
    folder, path = split(index_file.info.path)
    shard = f"{base_name(path).removesuffix(INDEX)}.data-{variable.shard:05d}-of-{index.shards:05d}"
    file = open_file(Folder(index_file.storage, folder), shard)
    data = read_exactly(file, variable.offset, variable.size // rows * count)
    return checkpoint.numbers_of(variable._replace(shape=(count, dims)), data)

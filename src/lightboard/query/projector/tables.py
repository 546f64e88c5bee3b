"""The numbers of an entry, wherever they lie: how many, and all of them. What was read stays for a while."""

from collections.abc import Hashable

from lightboard.errors import Unshowable
from lightboard.lru_cache import LruCache
from lightboard.query.projector import checkpoint, h5, npy, numbers
from lightboard.query.projector.checkpoint import Index, Variable
from lightboard.query.projector.entries import INDEX, WEIGHTS, Entry, Variables
from lightboard.query.projector.folder import File, Folder, base_name, open_file
from lightboard.query.projector.matrix import MOST_NUMBERS, Matrix, Size, whole
from lightboard.storage.base import split

MOST_KEPT_BYTES = 1 << 30
HEAD_BYTES = 4096


class Tables(Variables):
    """Reads tables. A file that changed since is read again."""

    def __init__(self) -> None:
        self._matrices: LruCache[Matrix] = LruCache(MOST_KEPT_BYTES, lambda matrix: matrix.nbytes)
        self._sizes: LruCache[Size] = LruCache(10_000, lambda _: 1)
        self._indices: LruCache[Index] = LruCache(100_000, lambda index: 1 + len(index.variables))
        self._tables: LruCache[list[h5.Table]] = LruCache(100_000, lambda tables: 1 + len(tables))

    def names(self, checkpoint: File) -> list[str]:
        """See Variables."""
        if checkpoint.info.path.endswith(WEIGHTS):
            return [table.path for table in self._weights(checkpoint)]
        found = self._index(checkpoint).variables.values()
        return [variable.name for variable in found if usable(variable)]

    def stamp(self, entry: Entry) -> Hashable:
        """Changes when the file of the entry does. Raises Unshowable."""
        return *stamp_of(file_of(entry)), entry.variable, entry.embedding.shape

    def bytes_to_look_at(self, entry: Entry) -> int:
        """How much has to be read to know the size. Raises Unshowable."""
        file = file_of(entry)
        return 0 if entry.checkpoint is not None else file.size

    def size(self, entry: Entry) -> Size:
        """Rows and columns. Raises Unshowable."""
        return self._sizes.get(self.stamp(entry), lambda: self._size(entry).check(entry.name))

    def rows(self, entry: Entry) -> Matrix:
        """All rows that fit, as float32. Raises Unshowable."""
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
        return self._indices.get(stamp_of(file), lambda: checkpoint.parse_index(file.all(checkpoint.MOST_INDEX_BYTES)))

    def _weights(self, file: File) -> list[h5.Table]:
        return self._tables.get(stamp_of(file), lambda: h5.tables_in(file))


def file_of(entry: Entry) -> File:
    """The file that holds the numbers, or says where they are. Raises Unshowable."""
    if entry.problem:
        raise Unshowable(entry.problem)
    return entry.checkpoint if entry.checkpoint is not None else open_file(entry.folder, entry.embedding.tensor_path)


def stamp_of(file: File) -> tuple[Hashable, ...]:
    """Changes when the file does."""
    return file.storage.url, *file.info


def form_of(file: File) -> str:
    """How numbers lie in a file: tsv, npy, npz or raw."""
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
    """The rows of one variable of a checkpoint, as many as fit. Raises Unshowable."""
    variable = index.variables[name]
    rows, dims = variable.shape
    if variable.size % rows:
        raise Unshowable(f"variable {name!r} of the checkpoint is damaged")
    held = min(rows, MOST_NUMBERS // dims)
    folder, path = split(index_file.info.path)
    shard = f"{base_name(path).removesuffix(INDEX)}.data-{variable.shard:05d}-of-{index.shards:05d}"
    file = open_file(Folder(index_file.storage, folder), shard)
    data = whole(file, variable.offset, variable.size // rows * held)
    return checkpoint.numbers_of(variable._replace(shape=(held, dims)), data)

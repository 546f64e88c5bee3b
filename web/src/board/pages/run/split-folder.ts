/** Splits paths into their common folder, with its last separator, and the rest of each; "" if they share none. */
export function splitFolder(paths: readonly string[]): { folder: string; names: readonly string[] } {
  const folder = /^.*[/\\]/.exec(paths[0] ?? "")?.[0] ?? "";
  if (!paths.every((path) => path.startsWith(folder))) return { folder: "", names: paths };
  return { folder, names: paths.map((path) => path.slice(folder.length)) };
}

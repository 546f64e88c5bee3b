/** The folder that all paths lie in, with its last separator, and what is left of each; "" where they share none. */
export function inFolder(paths: readonly string[]): { folder: string; names: readonly string[] } {
  const folder = /^.*[/\\]/.exec(paths[0] ?? "")?.[0] ?? "";
  if (!paths.every((path) => path.startsWith(folder))) return { folder: "", names: paths };
  return { folder, names: paths.map((path) => path.slice(folder.length)) };
}

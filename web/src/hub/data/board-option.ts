/** The option of a new job or notebook to have a TensorBoard, and where its logs are. Pure. */

export interface BoardOption {
  enabled: boolean;
  /** `OWN`, `STORAGE`, or `dataset:` and the name of one. */
  root: string;
  /** Below the root; of no meaning for `OWN`. */
  path: string;
}

/** The folder of the job or notebook itself. */
export const OWN = "";
export const STORAGE = "storage:";
const DATASET = "dataset:";

export const NO_BOARD: BoardOption = { enabled: false, root: OWN, path: "" };

export const datasetRoot = (name: string) => DATASET + name;

/** The `log_dir` of the request: "" for the folder that the hub makes. */
export function logDirOf({ enabled, root, path }: BoardOption): string {
  if (!enabled || root === OWN) return "";
  const below = path
    .trim()
    .replace(/^storage:/, "")
    .replace(/^\/+|\/+$/g, "");
  if (root === STORAGE) return STORAGE + below;
  return below === "" ? root : `${root}/${below}`;
}

/** The option that has this `log_dir`; one without it may have a TensorBoard of its own folder. */
export function boardOptionOf(logDir: string, hasBoard = false): BoardOption {
  if (logDir === "") return { ...NO_BOARD, enabled: hasBoard };
  if (logDir.startsWith(STORAGE)) return { enabled: true, root: STORAGE, path: logDir.slice(STORAGE.length) };
  const [root = "", ...parts] = logDir.split("/");
  return { enabled: true, root, path: parts.join("/") };
}

/** The comparison of two graphs: its differences, and what is marked of them. */

import { useMemo, useState } from "react";
import type { ColorScheme } from "../../../lib/color-scheme";
import type { Picture, PlacedBox } from "../geometry/picture";
import { type GraphName, graphName, type RunGraph, useDiff, useMembers } from "../graph-data";
import type { BoxMark } from "../marks";
import type { DiffStatus } from "./diff-groups";
import { type DiffMark, DiffMarks, type DiffSide } from "./diff-marks";
import { boxMark, readDiffColors } from "./mark-signs";

export interface Comparison {
  base: RunGraph;
  name: GraphName;
  differences: ReturnType<typeof useDiff>;
  /** Null until the differences are here. */
  marks: DiffMarks | null;
  /** Statuses that are neither listed nor marked. */
  hidden: ReadonlySet<DiffStatus>;
  turn(status: DiffStatus): void;
}

export function useComparison(graph: GraphName, base: RunGraph | null): Comparison | null {
  const name = useMemo(() => base && graphName(base), [base]);
  const differences = useDiff(graph, name);
  const { data } = differences;
  const [hidden, setHidden] = useState<ReadonlySet<DiffStatus>>(new Set());
  const marks = useMemo(() => (data ? new DiffMarks(data, hidden) : null), [data, hidden]);
  if (!base || !name) return null;
  const turn = (status: DiffStatus) => {
    const next = new Set(hidden);
    if (!next.delete(status)) next.add(status);
    setHidden(next);
  };
  return { base, name, differences, marks, hidden, turn };
}

export interface PictureMarks {
  of(placed: PlacedBox): DiffMark | null;
  /** What is drawn of it. */
  drawnIn(scheme: ColorScheme): (placed: PlacedBox) => BoxMark | null;
}

const NO_MARKS: PictureMarks = { of: () => null, drawnIn: () => () => null };

/** The marks of the boxes of a picture. The members of stacks that may differ are fetched. */
export function usePictureMarks(
  graph: GraphName,
  side: DiffSide,
  picture: Picture | null,
  marks: DiffMarks | null,
): PictureMarks {
  const stacks = useMemo(
    () =>
      marks && picture
        ? picture.boxes
            .filter(({ box }) => box.kind === "stack" || box.kind === "rest")
            .map(({ box }) => box.path)
            .filter((path) => marks.mayDifferIn(path))
        : [],
    [marks, picture],
  );
  const members = useMembers(graph, stacks);
  return useMemo(() => {
    if (!marks) return NO_MARKS;
    const of = ({ box, open, content }: PlacedBox) =>
      marks.markOf(side, box, open ? [content] : members.get(box.path));
    const drawnIn = (scheme: ColorScheme) => {
      const colors = readDiffColors(scheme);
      return (placed: PlacedBox) => {
        const mark = of(placed);
        return mark && boxMark(mark, colors);
      };
    };
    return { of, drawnIn };
  }, [marks, side, members]);
}

/** The graph that another one is compared with, beside it. What both have opens and moves in both. */

import { useEffect, useMemo } from "react";
import { useWords } from "../../../i18n/words";
import type { GraphsView } from "../../view/graphs-view";
import type { TextWidths } from "../box-size";
import type { Camera } from "../geometry/camera";
import type { PlacedBox } from "../geometry/picture";
import { closeBox, openBox, selectBox, showMember } from "../graph-data";
import { Pane, type PaneActions, type PaneState, usePane } from "../pane";
import type { StageStyle } from "../stage";
import type { DiffMarks } from "./diff-marks";
import { markText } from "./mark-signs";
import { type Comparison, usePictureMarks } from "./use-comparison";

interface BasePaneProps {
  comparison: Comparison & { marks: DiffMarks };
  title: string;
  view: GraphsView;
  /** Paths of what is open in any of the two graphs. */
  openNow: readonly string[];
  widths: TextWidths;
  styleOf(pane: PaneState, marks: ReturnType<typeof usePictureMarks>): StageStyle;
  onPane(pane: PaneState | null): void;
  onLook(camera: Camera): void;
  onFit(path: string): void;
  onFault(fault: unknown): void;
}

export function BasePane(props: BasePaneProps) {
  const { comparison, title, view, openNow, widths, styleOf, onPane, onLook, onFit, onFault } = props;
  const say = useWords();
  const { marks, name } = comparison;
  const shown = useMemo(
    () => ({
      open: view.open?.map((path) => marks.inBase(path)) ?? null,
      selected: marks.inBase(view.selected),
      members: Object.fromEntries(
        Object.entries(view.members).map(([path, member]) => [marks.inBase(path), member]),
      ),
    }),
    [view, marks],
  );
  const pane = usePane(name, shown, widths);
  useEffect(() => onPane(pane), [pane, onPane]);
  useEffect(() => () => onPane(null), [onPane]);
  const pictureMarks = usePictureMarks(name, "base", pane.picture, marks);
  const look = useMemo(() => styleOf(pane, pictureMarks), [styleOf, pane, pictureMarks]);
  const openable = ({ box, content }: PlacedBox) => ({
    path: marks.inView(box.path),
    content: marks.inView(content),
  });
  const actions: PaneActions = {
    look: onLook,
    fit: onFit,
    select: (placed) => selectBox(placed ? marks.inView(placed.box.path) : ""),
    toggle: (placed) => {
      if (placed.open) closeBox(openNow, openable(placed));
      else openBox(openNow, openable(placed).path);
    },
    step: (placed, by) => {
      const member = (placed.member ?? 0) + by;
      if (member < 0 || member >= placed.box.members) return;
      void showMember(name, openNow, openable(placed), member).catch(onFault);
    },
  };
  return (
    <Pane
      pane={pane}
      look={look}
      actions={actions}
      side="base"
      label={say("graphs.diff.baseTree")}
      noteOf={(placed) => markText(pictureMarks.of(placed))}
      title={title}
    />
  );
}

/** One graph on the page: its open scopes as a picture, with outline and breadcrumb. A comparison has two. */

import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { undo } from "../../lib/undo-stack";
import { Button } from "../../ui/button";
import type { GraphsView } from "../view/graphs-view";
import type { TextWidths } from "./box-size";
import { Breadcrumb } from "./breadcrumb";
import { type Picture, type PlacedBox, placeOf } from "./geometry/picture";
import { type GraphName, MAX_BOXES, showGraphs, type TreeResult, useGraphTree } from "./graph-data";
import style from "./pane.module.css";
import type { GraphStage, StageEvents, StageStyle } from "./stage";
import { StageView } from "./stage-view";
import { LiveTip, type ShowTip } from "./tip";
import { Tree } from "./tree";
import { type LayoutResult, useLayout } from "./use-layout";

export interface PaneState {
  tree: TreeResult;
  layout: LayoutResult;
  /** Null until there is one. */
  picture: Picture | null;
  stage: GraphStage | null;
  setStage(stage: GraphStage | null): void;
  /** The path of what is selected. */
  selected: string;
  /** More boxes are open than can be shown without asking. */
  tooMany: boolean;
  accept(): void;
  /** Brings a box into view, now or once it is in the picture. */
  reveal(path: string): void;
}

type PaneView = Pick<GraphsView, "open" | "members" | "selected">;

export function usePane(graph: GraphName, view: PaneView, widths: TextWidths): PaneState {
  const { selected } = view;
  const tree = useGraphTree(graph, view);
  const [accepted, setAccepted] = useState(MAX_BOXES);
  const tooMany = tree.boxes > accepted;
  const layout = useLayout(tooMany ? null : tree.root, widths);
  const { picture } = layout;
  const [stage, setStage] = useState<GraphStage | null>(null);
  const wanted = useRef(selected);
  useEffect(() => {
    if (!stage || !picture) return;
    stage.show(picture, wanted.current);
    wanted.current = "";
  }, [stage, picture]);
  useEffect(() => stage?.select(selected), [stage, selected]);
  const accept = useCallback(() => setAccepted(tree.boxes), [tree.boxes]);
  const reveal = useCallback(
    (path: string) => {
      wanted.current = path;
      stage?.reveal(path);
    },
    [stage],
  );
  return useMemo(
    () => ({ tree, layout, picture, stage, setStage, selected, tooMany, accept, reveal }),
    [tree, layout, picture, stage, selected, tooMany, accept, reveal],
  );
}

export interface PaneActions extends Pick<StageEvents, "look" | "toggle" | "step"> {
  select(placed: PlacedBox | null): void;
  /** Shows an open box, or "" everything. */
  fit(path: string): void;
}

interface PaneProps {
  pane: PaneState;
  look: StageStyle;
  actions: PaneActions;
  side: "graph" | "base";
  /** The name of the outline. */
  label: string;
  /** How a box differs, for screen readers; empty if it does not. */
  noteOf(placed: PlacedBox): string;
  /** A heading, where there are two. */
  title?: ReactNode;
}

export function Pane({ pane, look, actions, side, label, noteOf, title }: PaneProps) {
  const say = useWords();
  const { picture, stage, selected, layout, tree } = pane;
  const showTip = useRef<ShowTip | null>(null);
  const events: StageEvents = { ...actions, hover: (what, at) => showTip.current?.(what, at) };
  const place = picture && selected !== "" ? placeOf(picture, selected) : -1;
  const fault = tree.error?.message ?? layout.fault;
  return (
    <div className={style.pane} data-side={side}>
      {title !== undefined && <h2 className={style.title}>{title}</h2>}
      <StageView
        stage={stage}
        onStage={pane.setStage}
        look={look}
        events={events}
        onFit={() => actions.fit("")}
        testId={side === "graph" ? "graph" : "graph-base"}
      >
        {picture && (
          <Tree
            picture={picture}
            stage={stage}
            selected={selected}
            label={label}
            noteOf={noteOf}
            onSelect={actions.select}
            onToggle={actions.toggle}
          />
        )}
        {picture && <Breadcrumb picture={picture} at={place} onFit={actions.fit} />}
        {picture && stage && <LiveTip picture={picture} stage={stage} show={showTip} />}
        {fault !== null && (
          <div className={style.banner} role="alert">
            <p>{fault}</p>
            <Button size="small" icon="reload" onClick={tree.retry}>
              {say("action.retry")}
            </Button>
          </div>
        )}
        <Costly pane={pane} />
      </StageView>
    </div>
  );
}

/** Asks before what takes long is laid out, and while it is. */
function Costly({ pane: { picture, tree, layout, tooMany, accept } }: { pane: PaneState }) {
  const say = useWords();
  return (
    <>
      {tooMany && (
        <div className={style.banner} role="alertdialog" aria-label={say("graphs.showAnyway")}>
          <p>{say("graphs.tooMany", { count: tree.boxes })}</p>
          <Button size="small" onClick={accept}>
            {say("graphs.showAnyway")}
          </Button>
          <Button size="small" onClick={() => goBack(picture)}>
            {say("action.cancel")}
          </Button>
        </div>
      )}
      {layout.slow && (
        <div className={style.banner} role="status">
          <p>{say("graphs.layingOut")}</p>
          <Button
            size="small"
            onClick={() => {
              layout.cancel();
              goBack(picture);
            }}
          >
            {say("action.cancel")}
          </Button>
        </div>
      )}
    </>
  );
}

/** What cannot be shown was asked for: as it was before. */
function goBack(picture: Picture | null): void {
  if (!picture || !undo()) showGraphs({ open: [] });
}

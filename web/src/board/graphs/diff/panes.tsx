/** The pictures of two graphs beside each other or, where there is no room, one of them. */

import type { ReactNode } from "react";
import { useWords } from "../../../i18n/words";
import { Segmented } from "../../../ui/segmented";
import type { RunGraph } from "../graph-data";
import { isSameTag, stepText } from "../graph-values";
import style from "../pane.module.css";
import type { DiffSide } from "./diff-marks";
import type { Base } from "./use-base";

interface PanesProps {
  /** Null while one graph is shown. */
  base: Base | null;
  children: ReactNode;
}

export function Panes({ base, children }: PanesProps) {
  const say = useWords();
  return (
    <>
      {base && (
        <div className={style.switch}>
          <Segmented<DiffSide>
            label={say("graphs.diff.shown")}
            value={base.shown}
            options={[
              { value: "graph", label: say("graphs.diff.graph") },
              { value: "base", label: say("graphs.diff.base") },
            ]}
            onChange={base.show}
          />
        </div>
      )}
      <div className={style.panes} {...(base && { "data-shown": base.shown })}>
        {children}
      </div>
    </>
  );
}

/** What tells a graph from another one. */
export function paneTitle(graph: RunGraph, other: RunGraph | null): string {
  const parts = [graph.run];
  if (graph.info.tag !== other?.info.tag || graph.run === other.run) parts.push(graph.info.tag);
  if (other && isSameTag(graph, other)) parts.push(stepText(graph, [graph, other]));
  return parts.filter((part) => part !== "").join(" · ");
}

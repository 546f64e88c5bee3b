/** One mesh: the visible runs as columns at the step of the page, all with one camera. */

import { useEffect, useRef, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { LazyMount } from "../../ui/lazy-mount";
import { Card } from "../cards/card";
import type { TagInfo } from "../data/lists";
import type { LineStyle } from "../runs/line-styles";
import { useView } from "../view/view";
import style from "./mesh-card.module.css";
import { MeshView } from "./mesh-view";
import { type RunMesh, useRunMeshes } from "./meshes";

/** Height reserved for a view before it is mounted, in px. */
const VIEW_PX = 320;

interface MeshCardProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
}

export function MeshCard({ tag, runs }: MeshCardProps) {
  const list = useRunMeshes(tag.tag, runs);
  const step = useView((view) => view.pin?.step ?? null);
  const [sample, setSample] = useState(0);
  const samples = list.reduce((most, { mesh }) => Math.max(most, mesh.samples), 1);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    card.current!.dataset.state = list.length > 0 ? "ready" : "empty";
  }, [list.length]);
  return (
    <Card ref={card} tag={tag.tag} summary={null} actions={null}>
      {samples > 1 && <Samples at={Math.min(sample, samples - 1)} of={samples} onChange={setSample} />}
      <div className={style.views} data-count={Math.min(3, list.length)}>
        {list.map((mesh: RunMesh) => (
          <LazyMount key={mesh.lineStyle.id} height={VIEW_PX} className={style.near}>
            <MeshView mesh={mesh} step={step} sample={sample} />
          </LazyMount>
        ))}
      </div>
    </Card>
  );
}

interface SamplesProps {
  at: number;
  of: number;
  onChange(at: number): void;
}

/** Selects a mesh of the batch. */
function Samples({ at, of, onChange }: SamplesProps) {
  const say = useWords();
  return (
    <span className={style.samples} data-testid="mesh-sample">
      <Button
        variant="quiet"
        size="small"
        icon="left"
        label={say("mesh.previous")}
        disabled={at === 0}
        onClick={() => onChange(at - 1)}
      />
      {say("mesh.ofBatch", { at: count(at + 1), of: count(of) })}
      <Button
        variant="quiet"
        size="small"
        icon="right"
        label={say("mesh.next")}
        disabled={at >= of - 1}
        onClick={() => onChange(at + 1)}
      />
    </span>
  );
}

/** Meshes and point clouds of all runs at one step, with one camera. */

import { useMemo } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Check } from "../../ui/check";
import { KindPage } from "../cards/kind-page";
import { PageStep } from "../cards/page-step";
import { useVisibleRuns } from "../runs/visible-runs";
import { type MeshView, POINT_PX } from "../view/mesh-view";
import { change, commit, useView } from "../view/view";
import { fitAll } from "./frames";
import { MeshCard } from "./mesh-card";
import style from "./mesh-page.module.css";
import { useMeshSteps, useMeshTags } from "./meshes";

const CARD_PX = 400;
/** The position of the slider before it is used. */
const SHOWN_PX = 4;

export default function MeshPage() {
  const found = useMeshTags();
  return (
    <KindPage kind="mesh" tags={found} tools={<Tools />} height={CARD_PX}>
      {({ tag, runs }) => <MeshCard tag={tag} runs={runs} />}
    </KindPage>
  );
}

function Tools() {
  const visible = useVisibleRuns();
  const shown = useMemo(() => new Set(visible), [visible]);
  return (
    <>
      <PageStep steps={useMeshSteps(shown)} />
      <MeshSwitches />
    </>
  );
}

/** How meshes are drawn. */
function MeshSwitches() {
  const say = useWords();
  const mesh = useView((view) => view.mesh);
  const update = (next: Partial<MeshView>, how = commit) => how({ mesh: { ...mesh, ...next } });
  const points = mesh.points ?? SHOWN_PX;
  return (
    <>
      <label className={style.size}>
        {say("mesh.size")}
        <input
          type="range"
          min={POINT_PX.least}
          max={POINT_PX.most}
          step={0.5}
          value={points}
          aria-valuetext={`${points} px`}
          onChange={(event) => update({ points: Number(event.target.value) }, change)}
          onPointerUp={(event) => update({ points: Number(event.currentTarget.value) })}
        />
      </label>
      <Switch word="mesh.share" on={mesh.share} onChange={(share) => update({ share })} />
      <Switch word="mesh.wire" on={mesh.wire} onChange={(wire) => update({ wire })} />
      <Switch word="mesh.axes" on={mesh.axes} onChange={(axes) => update({ axes })} />
      <Button icon="fit" size="small" onClick={fitAll}>
        {say("mesh.fit")}
      </Button>
    </>
  );
}

interface SwitchProps {
  word: "mesh.share" | "mesh.wire" | "mesh.axes";
  on: boolean;
  onChange(on: boolean): void;
}

function Switch({ word, on, onChange }: SwitchProps) {
  const say = useWords();
  return (
    <label className={style.check}>
      <Check checked={on} onChange={() => onChange(!on)} />
      {say(word)}
    </label>
  );
}

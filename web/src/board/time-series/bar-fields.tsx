/** Fields of the toolbar that its settings share: x axis, smoothing, switches, columns and kinds of cards. */

import { useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { likelyCounters } from "../../lib/counters";
import { useIdleAfterFirstRender } from "../../lib/use-idle-after-first-render";
import { AnchoredPopover } from "../../ui/anchored-popover";
import { Button } from "../../ui/button";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { useKinds, useTags } from "../data/lists";
import { TagPicker } from "../scalars/tag-picker";
import { choosePage } from "../view/cards";
import { change, useView } from "../view/view";
import { type Axis, CARD_KINDS, type CardKind, MAX_SMOOTHING } from "../view/view-state";
import { chooseAxis, chooseTagAxis } from "../view/zoom";
import style from "./tool-bar.module.css";

const OTHER = "tag…";

export function AxisChoice() {
  const say = useWords();
  const axis = useView((view) => view.axis);
  const [picking, setPicking] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const options: readonly { value: Axis; label: string }[] = [
    { value: "step", label: say("axis.step") },
    { value: "relative", label: say("axis.relative") },
    { value: "wall", label: say("axis.wall") },
  ];
  const tag = useView((view) => view.xTag) || say("axis.tag");
  return (
    <div ref={place} className={style.axis}>
      <div className={style.wide}>
        <Segmented label={say("axis.label")} value={axis} options={options} onChange={chooseAxis} />
        <Button
          className={style.tagAxis}
          aria-pressed={axis === "tag"}
          aria-haspopup="dialog"
          title={say("axis.byTag")}
          onClick={() => setPicking(true)}
        >
          <bdi>{axis === "tag" ? tag : say("axis.tag")}</bdi>
        </Button>
      </div>
      <div className={style.narrow}>
        <Select
          label={say("axis.label")}
          value={axis}
          options={[
            ...options,
            ...(axis === "tag" ? [{ value: "tag", label: tag }] : []),
            { value: OTHER, label: say("axis.byTag") },
          ]}
          onChange={(value) => (value === OTHER ? setPicking(true) : chooseAxis(value as Axis))}
        />
      </div>
      {picking && (
        <AnchoredPopover
          label={say("axis.byTag")}
          anchor={place}
          align="start"
          onClose={() => setPicking(false)}
        >
          <TagAxis onPicked={() => setPicking(false)} />
        </AnchoredPopover>
      )}
    </div>
  );
}

function TagAxis({ onPicked }: { onPicked(): void }) {
  const say = useWords();
  const tags = useTags();
  const names = useMemo(() => tags.map(({ tag }) => tag), [tags]);
  const first = useMemo(() => likelyCounters(names), [names]);
  const chosen = useView((view) => (view.axis === "tag" ? view.xTag : null));
  return (
    <TagPicker
      label={say("axis.byTag")}
      names={names}
      first={first}
      chosen={chosen}
      onPick={(name) => {
        chooseTagAxis(name);
        onPicked();
      }}
    />
  );
}

export function Smoothing() {
  const say = useWords();
  const smoothing = useView((view) => view.smoothing);
  const update = (text: string) => {
    const value = Number(text);
    if (text !== "" && Number.isFinite(value)) {
      change({ smoothing: Math.min(MAX_SMOOTHING, Math.max(0, value)) });
    }
  };
  return (
    <div className={style.smoothing}>
      <span>{say("bar.smoothing")}</span>
      <input
        type="range"
        min={0}
        max={MAX_SMOOTHING}
        step={0.001}
        value={smoothing}
        aria-label={say("bar.smoothing")}
        onChange={(event) => update(event.target.value)}
      />
      <input
        type="number"
        min={0}
        max={MAX_SMOOTHING}
        step={0.01}
        value={Number(smoothing.toFixed(3))}
        aria-label={say("bar.smoothingValue")}
        onChange={(event) => update(event.target.value)}
      />
    </div>
  );
}

export function Switches() {
  const say = useWords();
  const ignoreOutliers = useView((view) => view.ignoreOutliers);
  const logY = useView((view) => view.logY);
  return (
    <>
      <Button
        aria-pressed={ignoreOutliers}
        title={say("bar.outliersTip")}
        onClick={() => choosePage({ ignoreOutliers: !ignoreOutliers })}
      >
        {say("bar.outliers")}
      </Button>
      <Button aria-pressed={logY} onClick={() => choosePage({ logY: !logY })}>
        {say("bar.logY")}
      </Button>
    </>
  );
}

export function Columns() {
  const say = useWords();
  const columns = useView((view) => view.columns);
  const options = [0, 1, 2, 3, 4, 5, 6].map((value) => ({
    value: String(value),
    label: value === 0 ? say("bar.columnsAuto") : say("bar.columns", { count: value }),
  }));
  return (
    <Select
      label={say("bar.columnsLabel")}
      value={String(columns)}
      options={options}
      onChange={(value) => change({ columns: Number(value) })}
    />
  );
}

/** Several kinds, which a link may contain. */
const SEVERAL = ",";

export function KindChoice() {
  const say = useWords();
  const chosen = useView((view) => view.cardKinds);
  const counts = useKinds(useIdleAfterFirstRender()).data?.plugins;
  const there = CARD_KINDS.filter((kind) => (counts?.[kind] ?? 0) > 0);
  if (there.length < 2 && chosen.length === 0) return null;
  const several = chosen.length > 1;
  const options = [
    { value: "", label: say("bar.kindsAll") },
    ...CARD_KINDS.map((kind) => ({ value: kind, label: say(`kind.${kind}`) })),
    ...(several ? [{ value: SEVERAL, label: chosen.map((kind) => say(`kind.${kind}`)).join(", ") }] : []),
  ];
  return (
    <Select
      label={say("bar.kinds")}
      value={several ? SEVERAL : (chosen[0] ?? "")}
      options={options}
      onChange={(value) => change({ cardKinds: value === "" ? [] : [value as CardKind] })}
    />
  );
}

/** What stands on the x axis: steps, time, or the values of another tag. */

import { useMemo, useRef, useState } from "react";
import { TagPicker } from "../../panels/scalars/tag-picker";
import { likelyCounters } from "../../state/counters";
import { useTags } from "../../state/lists";
import { useView } from "../../state/view";
import type { Axis } from "../../state/viewstate";
import { chooseAxis, chooseTagAxis } from "../../state/zoom";
import { Button } from "../../widgets/button";
import { Segmented } from "../../widgets/segmented";
import { Select } from "../../widgets/select";
import { Sheet } from "../../widgets/sheet";
import { useWords } from "../../words/words";
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
        <Sheet label={say("axis.byTag")} anchor={place} align="start" onClose={() => setPicking(false)}>
          <TagAxis onPicked={() => setPicking(false)} />
        </Sheet>
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

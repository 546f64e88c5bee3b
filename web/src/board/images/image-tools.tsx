/** The controls of the page's bar: how images are laid out, how large, how bright. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Popover } from "../../ui/popover";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { change, useView } from "../view/view";
import { type ImageMode, type ImageSize, MAX_BRIGHTNESS, MAX_CONTRAST } from "../view/view-state";
import style from "./image-tools.module.css";

const MODES: readonly ImageMode[] = ["grid", "film", "compare"];
const SIZES: readonly ImageSize[] = ["small", "normal", "large"];

export function ImageTools() {
  const say = useWords();
  const mode = useView((view) => view.imageMode);
  const size = useView((view) => view.imageSize);
  const trueSize = useView((view) => view.trueSize);
  return (
    <>
      <Segmented
        label={say("images.mode")}
        value={mode}
        options={MODES.map((value) => ({ value, label: say(`images.${value}`) }))}
        onChange={(value) => change({ imageMode: value })}
      />
      <Select
        label={say("images.size")}
        value={size}
        options={SIZES.map((value) => ({ value, label: say(`images.${value}`) }))}
        onChange={(value) => change({ imageSize: value as ImageSize })}
      />
      <Button aria-pressed={trueSize} onClick={() => change({ trueSize: !trueSize })}>
        {say("images.actual")}
      </Button>
      <LightControls />
    </>
  );
}

/** Brightness and contrast, behind one button. */
export function LightControls() {
  const say = useWords();
  const brightness = useView((view) => view.brightness);
  const contrast = useView((view) => view.contrast);
  const changed = brightness !== 1 || contrast !== 1;
  return (
    <Popover
      label={say("images.light")}
      align="start"
      trigger={<Button icon="sliders" label={say("images.light")} aria-pressed={changed} />}
    >
      <div className={style.light}>
        <Range
          label={say("images.brightness")}
          most={MAX_BRIGHTNESS}
          value={brightness}
          onChange={(value) => change({ brightness: value })}
        />
        <Range
          label={say("images.contrast")}
          most={MAX_CONTRAST}
          value={contrast}
          onChange={(value) => change({ contrast: value })}
        />
        <Button size="small" disabled={!changed} onClick={() => change({ brightness: 1, contrast: 1 })}>
          {say("images.reset")}
        </Button>
      </div>
    </Popover>
  );
}

interface RangeProps {
  label: string;
  most: number;
  value: number;
  onChange(value: number): void;
}

function Range({ label, most, value, onChange }: RangeProps) {
  return (
    <label className={style.range}>
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={most}
        step={0.05}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <output>{value.toFixed(2)}</output>
    </label>
  );
}

/** A slider over the available steps, evenly spaced. Arrow keys, Home and End move it. */

import { useRef } from "react";
import { formatStep } from "../lib/number";
import { Button } from "./button";
import style from "./step-slider.module.css";

interface StepSliderProps {
  /** "Step". */
  label: string;
  /** In ascending order. */
  steps: readonly number[];
  /** Index in `steps`. */
  at: number;
  /** `final` when the slider is released. */
  onChange(step: number, final: boolean): void;
  /** The button that follows the latest step; null hides it. */
  follow?: { label: string; on: boolean; onFollow(): void } | null;
}

export function StepSlider({ label, steps, at, onChange, follow = null }: StepSliderProps) {
  const moving = useRef(false);
  const step = steps[at];
  const update = (place: number, final: boolean) => {
    const to = steps[place];
    if (to !== undefined) onChange(to, final);
  };
  return (
    <div className={style.slider} data-testid="step-slider" data-step={step}>
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={Math.max(0, steps.length - 1)}
        step={1}
        value={Math.max(0, at)}
        disabled={steps.length < 2}
        aria-label={label}
        aria-valuetext={step === undefined ? "–" : String(step)}
        onPointerDown={() => {
          moving.current = true;
        }}
        onPointerUp={(event) => {
          moving.current = false;
          update(Number(event.currentTarget.value), true);
        }}
        onChange={(event) => update(Number(event.target.value), !moving.current)}
      />
      <output className={style.step}>{step === undefined ? "–" : formatStep(step)}</output>
      {follow && (
        <Button size="small" aria-pressed={follow.on} onClick={follow.onFollow}>
          {follow.label}
        </Button>
      )}
    </div>
  );
}

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import style from "./split.module.css";

interface SplitProps {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange(value: number): void;
}

const KEY_STEP_PX = 16;

/** The right edge of a side bar, dragged or moved with arrow keys. */
export function Split({ label, value, min, max, onChange }: SplitProps) {
  const grip = useRef<{ x: number; value: number } | null>(null);
  const update = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));

  const down = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.dataset.dragging = "";
    grip.current = { x: event.clientX, value };
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (grip.current) update(grip.current.value + event.clientX - grip.current.x);
  };
  const up = (event: PointerEvent<HTMLDivElement>) => {
    delete event.currentTarget.dataset.dragging;
    grip.current = null;
  };
  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowLeft" ? -KEY_STEP_PX : event.key === "ArrowRight" ? KEY_STEP_PX : 0;
    if (step === 0) return;
    event.preventDefault();
    update(value + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged; this is the role for it
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      className={style.handle}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onKeyDown={key}
    />
  );
}

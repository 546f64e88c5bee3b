/** A native select with its label above. */

import { useId } from "react";
import style from "./choice.module.css";
import { Labelled } from "./labelled";

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
  hint?: string;
  disabled?: boolean;
}

export function Choice({ label, value, options, onChange, hint, disabled = false }: ChoiceProps) {
  const id = useId();
  return (
    <Labelled label={label} id={id} hint={hint}>
      <select
        id={id}
        className={style.choice}
        value={value}
        disabled={disabled}
        aria-describedby={hint ? `${id}-word` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

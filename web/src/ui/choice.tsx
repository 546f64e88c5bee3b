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
  fault?: string | null | undefined;
  disabled?: boolean;
  "data-testid"?: string;
}

export function Choice({
  label,
  value,
  options,
  onChange,
  hint,
  fault,
  disabled = false,
  "data-testid": testId,
}: ChoiceProps) {
  const id = useId();
  return (
    <Labelled label={label} id={id} hint={hint} fault={fault}>
      <select
        id={id}
        className={style.choice}
        value={value}
        disabled={disabled}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault || hint ? `${id}-word` : undefined}
        data-testid={testId}
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

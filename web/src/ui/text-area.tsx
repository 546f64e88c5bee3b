/** A text box of several lines with its label above. It grows with its text. */

import { type ComponentProps, useId } from "react";
import { Labelled } from "./labelled";
import style from "./text-box.module.css";

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "onChange" | "value"> {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: string;
  fault?: string | null | undefined;
}

export function TextArea({ label, value, onChange, hint, fault, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <Labelled label={label} id={id} hint={hint} fault={fault}>
      <textarea
        id={id}
        className={[style.box, style.code, style.area, fault && style.bad].filter(Boolean).join(" ")}
        value={value}
        autoComplete="off"
        autoCapitalize="off"
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault || hint ? `${id}-word` : undefined}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
    </Labelled>
  );
}

import { type ComponentProps, useLayoutEffect, useRef } from "react";
import style from "./check.module.css";

interface CheckProps extends Omit<ComponentProps<"input">, "type" | "checked"> {
  checked: boolean | "mixed";
}

/** A check box with a third state for "some". */
export function Check({ checked, className, ...rest }: CheckProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = checked === "mixed";
  }, [checked]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={[style.check, className].filter(Boolean).join(" ")}
      checked={checked === true}
      {...rest}
    />
  );
}

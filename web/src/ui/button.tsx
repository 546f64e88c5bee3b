import type { ComponentProps, Ref } from "react";
import style from "./button.module.css";
import { Icon, type IconName } from "./icon";

interface ButtonProps extends ComponentProps<"button"> {
  variant?: "plain" | "quiet" | "primary";
  size?: "usual" | "small";
  icon?: IconName;
  /** Label of a button with only an icon; also its tooltip. */
  label?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant: look = "plain",
  size = "usual",
  icon,
  label,
  children,
  className,
  ...rest
}: ButtonProps) {
  const names = [
    style.button,
    style[look],
    size === "small" && style.small,
    !children && style.icon,
    className,
  ];
  return (
    <button
      type="button"
      className={names.filter(Boolean).join(" ")}
      aria-label={label}
      title={label}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

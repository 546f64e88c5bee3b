import { type KeyboardEvent, type ReactNode, type Ref, useId } from "react";
import style from "./field.module.css";
import { Icon } from "./icon";

interface FieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** Label of the button that clears the box. */
  clearLabel: string;
  placeholder?: string;
  /** Key that focuses the box, shown while it is empty. */
  hotkey?: string;
  /** The error message for the value. */
  fault?: string | null;
  onKeyDown?(event: KeyboardEvent<HTMLInputElement>): void;
  onBlur?(): void;
  onFocus?(): void;
  ref?: Ref<HTMLInputElement>;
  id?: string;
  className?: string | undefined;
  /** Id of the list that this box controls, for screen readers. */
  listId?: string | undefined;
  /** Whether that list is there now. */
  expanded?: boolean;
  activeId?: string | undefined;
  onClick?(): void;
  /** The list, if it is below the box. */
  children?: ReactNode;
}

/** A search box: icon, text, a button to clear it, and room for an error. */
export function Field(props: FieldProps) {
  const { label, value, onChange, clearLabel, placeholder, hotkey, fault, listId, activeId } = props;
  const { expanded = true } = props;
  const faultId = useId();
  return (
    <div className={[style.field, fault && style.bad, props.className].filter(Boolean).join(" ")}>
      <Icon name="search" />
      <input
        ref={props.ref}
        id={props.id}
        // A search box cannot be a combobox.
        type={listId ? "text" : "search"}
        className={style.input}
        value={value}
        aria-label={label}
        placeholder={placeholder ?? label}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? faultId : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={props.onKeyDown}
        onBlur={props.onBlur}
        onFocus={props.onFocus}
        onClick={props.onClick}
        {...(listId && { role: "combobox", "aria-autocomplete": "list", "aria-expanded": expanded })}
        {...(listId && expanded && { "aria-controls": listId })}
        {...(activeId && { "aria-activedescendant": activeId })}
      />
      {value !== "" && (
        <button
          type="button"
          className={style.clear}
          aria-label={clearLabel}
          title={clearLabel}
          onClick={() => onChange("")}
        >
          <Icon name="close" size={12} />
        </button>
      )}
      {value === "" && hotkey && (
        <span className={style.key} aria-hidden="true">
          {hotkey}
        </span>
      )}
      {fault && (
        <div id={faultId} role="alert" className={style.fault}>
          {fault}
        </div>
      )}
      {props.children}
    </div>
  );
}

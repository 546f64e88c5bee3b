/** Filters of a list: each field is a parameter of the address. */

import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "../../i18n/words";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import { putQuery, useQuery } from "../data/route";
import style from "./query-fields.module.css";

const TYPING_MS = 250;

export function QueryBar({ children }: { children: ReactNode }) {
  return <search className={style.bar}>{children}</search>;
}

/** A text box that takes effect a moment after the last key. */
export function QueryText({ name, label }: { name: string; label: string }) {
  const say = useWords();
  const queried = useQuery().get(name) ?? "";
  const [text, setText] = useState(queried);
  useEffect(() => setText(queried), [queried]);
  useEffect(() => {
    if (text === queried) return;
    const timer = setTimeout(() => putQuery({ [name]: text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [name, text, queried]);
  return (
    <Field
      label={label}
      value={text}
      onChange={setText}
      clearLabel={say("action.clear")}
      className={style.text}
    />
  );
}

interface QueryChoiceProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** The value if the address has none; "" means all, and is named by the label. */
  usual?: string;
}

export function QueryChoice({ name, label, options, usual = "" }: QueryChoiceProps) {
  const value = useQuery().get(name) ?? usual;
  return (
    <Select
      label={label}
      value={value}
      options={usual === "" ? [{ value: "", label }, ...options] : options}
      onChange={(value) => putQuery({ [name]: value })}
    />
  );
}

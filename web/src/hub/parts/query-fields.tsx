/** What a list is narrowed to: each field is one of the address. */

import { type ReactNode, useEffect, useState } from "react";
import { Field } from "../../widgets/field";
import { Select } from "../../widgets/select";
import { useWords } from "../../words/words";
import { putQuery, useQuery } from "../state/route";
import style from "./query-fields.module.css";

const TYPING_MS = 250;

export function QueryBar({ children }: { children: ReactNode }) {
  return <search className={style.bar}>{children}</search>;
}

/** A box whose text is asked for a moment after the last key. */
export function QueryText({ name, label }: { name: string; label: string }) {
  const say = useWords();
  const asked = useQuery().get(name) ?? "";
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(() => putQuery({ [name]: text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [name, text, asked]);
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
  /** What holds while the address says nothing; "" is all of them, and has the label's name. */
  usual?: string;
}

export function QueryChoice({ name, label, options, usual = "" }: QueryChoiceProps) {
  const asked = useQuery().get(name) ?? usual;
  return (
    <Select
      label={label}
      value={asked}
      options={usual === "" ? [{ value: "", label }, ...options] : options}
      onChange={(value) => putQuery({ [name]: value })}
    />
  );
}

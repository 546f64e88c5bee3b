/** What is above the tables and trees of operators: their form, and the words that are looked for. */

import { useEffect, useState } from "react";
import { useWords } from "../../i18n/words";
import { Field } from "../../ui/field";
import { Segmented } from "../../ui/segmented";
import { OPERATOR_FORMS, type OperatorForm } from "../view/profile-view";
import { change, useView } from "../view/view";
import style from "./operators.module.css";
import { showProfile } from "./profiles";

const TYPING_MS = 200;

/** The table of operators, or a tree of calls. */
export function FormSwitch() {
  const say = useWords();
  const form = useView((view) => view.profile.form);
  return (
    <Segmented<OperatorForm>
      label={say("profile.form")}
      value={form}
      options={OPERATOR_FORMS.map((value) => ({ value, label: say(`profile.form.${value}`) }))}
      onChange={(value) => showProfile({ form: value, zoom: "" })}
    />
  );
}

/** What is typed is looked for once it has not changed for a moment. */
export function Search({ text, fault, hint }: { text: string; fault: string | null; hint?: string }) {
  const say = useWords();
  const [typed, type] = useState(text);
  useEffect(() => type(text), [text]);
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(
      () => showProfile({ search: typed, zoom: "" }, change),
      typed === "" ? 0 : TYPING_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <Field
      label={say("profile.search")}
      placeholder={hint ?? say("profile.searchHint")}
      clearLabel={say("action.clear")}
      value={typed}
      onChange={type}
      fault={fault}
      className={style.search}
    />
  );
}

/** What is listed, and what it is narrowed to; all of it is in the address. */

import { useEffect, useState } from "react";
import { Field } from "../../../widgets/field";
import { Segmented } from "../../../widgets/segmented";
import { Select } from "../../../widgets/select";
import { useWords } from "../../../words/words";
import { useProjects } from "../../state/projects";
import { putQuery } from "../../state/route";
import style from "./toolbar.module.css";

const TYPING_MS = 250;
const KINDS = ["tensorboard", "jobs", "notebooks"] as const;
const STATUSES = ["running", "starting", "stopped", "failed"] as const;
export const ORIGINS = ["ui", "sdk", "cli", "notebook", "job", "path"] as const;
const CREATED = ["day", "week", "month"] as const;

export function Toolbar({ query, kind }: { query: URLSearchParams; kind: string }) {
  const say = useWords();
  const projects = useProjects().data?.items ?? [];
  const choice = (name: string, label: string, options: { value: string; label: string }[]) => (
    <Select
      label={label}
      value={query.get(name) ?? ""}
      options={[{ value: "", label }, ...options]}
      onChange={(value) => putQuery({ [name]: value })}
    />
  );
  return (
    <search className={style.bar}>
      <Segmented
        label={say("hub.list.kind")}
        value={KINDS.find((each) => each === kind) ?? "tensorboard"}
        options={KINDS.map((each) => ({ value: each, label: say(`hub.kinds.${each}`) }))}
        onChange={(each) => putQuery({ kind: each === "tensorboard" ? "" : each })}
      />
      {kind === "tensorboard" && (
        <>
          <Search query={query} />
          {choice(
            "status",
            say("hub.field.status"),
            STATUSES.map((value) => ({ value, label: say(`hub.statuses.${value}`) })),
          )}
          {choice(
            "origin",
            say("hub.field.origin"),
            ORIGINS.map((value) => ({ value, label: say(`hub.origin.${value}`) })),
          )}
          {choice("owner", say("hub.field.owner"), [{ value: "me", label: say("hub.list.mine") }])}
          {projects.length > 1 &&
            choice(
              "project",
              say("hub.field.project"),
              projects.map((each) => ({ value: each.id, label: each.display_name || each.name })),
            )}
          {choice(
            "created",
            say("hub.field.created"),
            CREATED.map((value) => ({ value, label: say(`hub.created.${value}`) })),
          )}
        </>
      )}
    </search>
  );
}

function Search({ query }: { query: URLSearchParams }) {
  const say = useWords();
  const asked = query.get("search") ?? "";
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(() => putQuery({ search: text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, asked]);
  return (
    <Field
      label={say("hub.list.search")}
      value={text}
      onChange={setText}
      clearLabel={say("action.clear")}
      className={style.search}
    />
  );
}

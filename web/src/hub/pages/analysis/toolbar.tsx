/** What is listed, and what it is narrowed to; all of it is in the address. */

import { Segmented } from "../../../widgets/segmented";
import { useWords } from "../../../words/words";
import { QueryBar, QueryChoice, QueryText } from "../../parts/query-fields";
import { useProjects } from "../../state/projects";
import { putQuery } from "../../state/route";

const KINDS = ["tensorboard", "jobs", "notebooks"] as const;
const STATUSES = ["running", "starting", "stopped", "failed"] as const;
export const ORIGINS = ["ui", "sdk", "cli", "notebook", "job", "path"] as const;
const CREATED = ["day", "week", "month"] as const;

export function Toolbar({ kind }: { kind: string }) {
  const say = useWords();
  const projects = useProjects().data?.items ?? [];
  return (
    <QueryBar>
      <Segmented
        label={say("hub.list.kind")}
        value={KINDS.find((each) => each === kind) ?? "tensorboard"}
        options={KINDS.map((each) => ({ value: each, label: say(`hub.kinds.${each}`) }))}
        onChange={(each) => putQuery({ kind: each === "tensorboard" ? "" : each })}
      />
      {kind === "tensorboard" && (
        <>
          <QueryText name="search" label={say("hub.list.search")} />
          <QueryChoice
            name="status"
            label={say("hub.field.status")}
            options={STATUSES.map((value) => ({ value, label: say(`hub.statuses.${value}`) }))}
          />
          <QueryChoice
            name="origin"
            label={say("hub.field.origin")}
            options={ORIGINS.map((value) => ({ value, label: say(`hub.origin.${value}`) }))}
          />
          <QueryChoice
            name="owner"
            label={say("hub.field.owner")}
            options={[{ value: "me", label: say("hub.list.mine") }]}
          />
          {projects.length > 1 && (
            <QueryChoice
              name="project"
              label={say("hub.field.project")}
              options={projects.map((each) => ({ value: each.id, label: each.display_name || each.name }))}
            />
          )}
          <QueryChoice
            name="created"
            label={say("hub.field.created")}
            options={CREATED.map((value) => ({ value, label: say(`hub.created.${value}`) }))}
          />
        </>
      )}
    </QueryBar>
  );
}

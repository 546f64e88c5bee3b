/** Creates a TensorBoard. If the limit is reached, the boards in use are listed below; what was typed stays. */

import { useState } from "react";
import type { CreateTensorboard } from "../../api/hub-schema.gen";
import { useWords } from "../../i18n/words";
import { Choice } from "../../ui/choice";
import { Dialog } from "../../ui/dialog";
import { Segmented } from "../../ui/segmented";
import { TextBox } from "../../ui/text-box";
import { createTensorboard } from "../api/tensorboards";
import { usePermitted } from "../data/accounts";
import { useDatasets } from "../data/datasets";
import { useMe } from "../data/me";
import { notify } from "../data/notice";
import { useProjectsWithPermission } from "../data/projects";
import { type Draft, nameFrom, newDraft, requestsOf } from "../data/sources";
import { refreshListsSoon, useLimit } from "../data/tensorboards";
import { BoardsInUse } from "./boards-in-use";
import { ProjectChoice } from "./choice-fields";
import { AdvancedSwitch, Form } from "./form";
import style from "./form.module.css";
import { SourceEditor } from "./source-editor";
import { IDLE_SPANS, LIFE_SPANS, spanOptions } from "./time-spans";

type Access = NonNullable<CreateTensorboard["access"]>;
export const ACCESSES: readonly Access[] = ["private", "project", "public_link"];

export function NewTensorboard({ onClose }: { onClose(): void }) {
  const say = useWords();
  const datasets = useDatasets();
  return (
    <Dialog title={say("hub.new.title")} closeLabel={say("action.close")} open onClose={onClose}>
      {/* Which kind of place comes first depends on whether there are datasets. */}
      {!datasets.isPending && (
        <NewForm kind={(datasets.data?.items.length ?? 0) > 0 ? "dataset" : "path"} onClose={onClose} />
      )}
    </Dialog>
  );
}

function NewForm({ kind, onClose }: { kind: Draft["kind"]; onClose(): void }) {
  const say = useWords();
  const limit = useLimit();
  const endless = usePermitted("run_without_end");
  const places = useProjectsWithPermission("tensorboards.create");
  const first = useMe().data?.memberships[0]?.project;
  const [name, setName] = useState("");
  const [chosen, setProject] = useState("");
  const project = chosen || (places[0]?.id ?? "");
  const [drafts, setDrafts] = useState<readonly Draft[]>([newDraft(kind)]);
  const [life, setLife] = useState("86400");
  const [idle, setIdle] = useState("3600");
  const [access, setAccess] = useState<Access>("private");
  const [advanced, setAdvanced] = useState(false);
  const [tags, setTags] = useState("");
  const sources = requestsOf(drafts);
  // The only project was not chosen explicitly, so its owners do not see what is private.
  const unchosen = places.length < 2 && first === project;
  const full = limit !== null && limit.inUse >= limit.limit;

  const send = async () => {
    if (!sources) return;
    const board = await createTensorboard({
      sources,
      project: unchosen ? "" : project,
      display_name: name.trim() || nameFrom(drafts),
      origin: "ui",
      access,
      life_span_secs: Number(life),
      idle_timeout_secs: Number(idle),
      tags: tags.split(/[,\s]+/).filter((tag) => tag !== ""),
    }).finally(refreshListsSoon);
    notify(say("hub.notice.created", { name: board.display_name }));
    onClose();
  };

  if (places.length === 0) return <p>{say("hub.new.noProject")}</p>;
  return (
    <Form
      verb={say("hub.new.create")}
      ready={sources !== null && !full}
      onSend={send}
      onCancel={onClose}
      beside={limit && !full && say("hub.limit.inUse", { used: limit.inUse, limit: limit.limit })}
    >
      <div className={style.row}>
        <TextBox
          label={say("hub.field.name")}
          value={name}
          maxLength={200}
          placeholder={nameFrom(drafts) || say("hub.new.named")}
          data-testid="new-name"
          onChange={setName}
        />
        <ProjectChoice places={places} value={project} onChange={setProject} />
      </div>
      <div className={style.access}>
        <span className={style.label}>{say("hub.new.from")}</span>
        <SourceEditor drafts={drafts} onChange={setDrafts} project={project} advanced={advanced} />
      </div>
      <div className={style.row}>
        <Choice
          label={say("hub.field.life")}
          value={life}
          options={spanOptions(LIFE_SPANS, undefined, endless)}
          onChange={setLife}
        />
        <Choice
          label={say("hub.field.idle")}
          value={idle}
          options={spanOptions(IDLE_SPANS, undefined, endless)}
          onChange={setIdle}
        />
      </div>
      <AccessChoice access={access} owners={unchosen ? "alone" : "private"} onChange={setAccess} />
      <AdvancedSwitch open={advanced} onChange={setAdvanced} />
      {advanced && (
        <TextBox
          label={say("hub.field.tags")}
          hint={say("hub.field.tagsHint")}
          value={tags}
          onChange={setTags}
        />
      )}
      {full && (
        <>
          <p role="status" data-testid="full">
            {say("hub.limit.full", { used: limit.inUse, limit: limit.limit })}
          </p>
          <BoardsInUse />
        </>
      )}
    </Form>
  );
}

interface AccessChoiceProps {
  access: Access;
  /** Whether owners of the project see private boards: they do if the project was chosen explicitly. */
  owners: "private" | "alone" | "maybe";
  onChange(access: Access): void;
}

/** Chooses who may open it, with an explanation. */
export function AccessChoice({ access, owners, onChange }: AccessChoiceProps) {
  const say = useWords();
  const publicly = usePermitted("share_publicly");
  const offered = ACCESSES.filter((each) => each !== "public_link" || publicly || access === each);
  return (
    <div className={style.access}>
      <span className={style.label}>{say("hub.field.access")}</span>
      <div>
        <Segmented
          label={say("hub.field.access")}
          value={access}
          options={offered.map((each) => ({ value: each, label: say(`hub.access.${each}`) }))}
          onChange={onChange}
        />
      </div>
      <p className={style.hint}>{say(`hub.accessHint.${access === "private" ? owners : access}`)}</p>
    </div>
  );
}

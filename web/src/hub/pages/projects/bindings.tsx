/** Bindings of a project: folders, buckets, credentials and datasets that it may use. Administrators create them. */

import { useState } from "react";
import type { BindingResponse, ProjectResponse } from "../../../api/hub-schema.gen";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { Choice } from "../../../ui/choice";
import { Dialog } from "../../../ui/dialog";
import { TextBox } from "../../../ui/text-box";
import { createBinding, deleteBinding } from "../../api/projects";
import { useDatasets } from "../../data/datasets";
import { bindingsKey, useBindings } from "../../data/projects";
import { queries } from "../../data/queries";
import cell from "../../ui/cells.module.css";
import { CredentialChoice } from "../../ui/choice-fields";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Form } from "../../ui/form";
import style from "../../ui/form.module.css";
import { RowButton } from "../../ui/list-page";
import { ErrorNotice } from "../../ui/page";
import { Table } from "../../ui/table";

type Kind = BindingResponse["kind"];
const KINDS: readonly Kind[] = ["root", "storage", "credential", "dataset"];
const EXAMPLES = { root: "/srv/logs", storage: "s3://bucket/path" };

const again = (project: string) => queries.invalidateQueries({ queryKey: bindingsKey(project) });

export function BindingsSection({ project, may }: { project: ProjectResponse; may: boolean }) {
  const say = useWords();
  const list = useBindings(project.id);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<BindingResponse | null>(null);
  const items = list.data?.items ?? [];
  return (
    <section className={cell.part} aria-label={say("hub.binding.title")}>
      <div className={cell.sectionHead}>
        <h2 className={cell.section}>{say("hub.binding.title")}</h2>
        {may && (
          <Button icon="plus" data-testid="add-binding" onClick={() => setAdding(true)}>
            {say("hub.binding.add")}
          </Button>
        )}
      </div>
      <p className={style.hint}>{say("hub.binding.what")}</p>
      {list.error && !list.data && <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && <p>{say("hub.binding.none")}</p>}
      {items.length > 0 && (
        <Table
          label={say("hub.binding.title")}
          rows={items}
          rowKey={(each) => `${each.kind} ${each.value}`}
          testId="binding"
          columns={[
            {
              id: "value",
              title: say("hub.field.place"),
              cell: (each) => (
                <>
                  <bdi className={cell.code}>{each.shown}</bdi>
                  {each.credential && (
                    <bdi className={cell.second}>
                      {say("hub.binding.with", { credential: each.credential })}
                    </bdi>
                  )}
                </>
              ),
            },
            {
              id: "kind",
              title: say("hub.source.kind"),
              cell: (each) => (
                <span className={cell.whole}>
                  {say(each.kind === "dataset" ? "hub.kind.dataset" : `hub.binding.kind.${each.kind}`)}
                </span>
              ),
            },
            {
              id: "since",
              title: say("hub.project.since"),
              wide: true,
              cell: (each) =>
                each.created_at === null ? say("hub.binding.atStart") : dateTime(each.created_at),
            },
            {
              id: "tools",
              title: say("hub.field.menu"),
              tools: true,
              cell: (each) =>
                may &&
                each.id && (
                  <RowButton
                    icon="trash"
                    label={say("hub.binding.remove", { value: each.shown })}
                    onClick={() => setRemoving(each)}
                  />
                ),
            },
          ]}
        />
      )}
      {adding && <AddBinding project={project} onClose={() => setAdding(false)} />}
      {removing && (
        <ConfirmDialog
          title={say("hub.binding.removeAsk", { value: removing.shown })}
          verb={say("hub.binding.removeVerb")}
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await deleteBinding(project.id, removing.id);
            await again(project.id);
          }}
        >
          <p>{say("hub.binding.removeWhat")}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function AddBinding({ project, onClose }: { project: ProjectResponse; onClose(): void }) {
  const say = useWords();
  const [kind, setKind] = useState<Kind>("root");
  const [value, setValue] = useState("");
  const [credential, setCredential] = useState("");
  const send = async () => {
    await createBinding(project.id, {
      kind,
      value: value.trim(),
      credential: kind === "storage" ? credential : "",
    });
    await again(project.id);
    onClose();
  };
  return (
    <Dialog title={say("hub.binding.add")} closeLabel={say("action.close")} open onClose={onClose}>
      <Form verb={say("hub.binding.add")} ready={value.trim() !== ""} onSend={send} onCancel={onClose}>
        <Choice
          label={say("hub.source.kind")}
          hint={say(`hub.binding.hint.${kind}`)}
          value={kind}
          options={KINDS.map((each) => ({ value: each, label: say(`hub.binding.kind.${each}`) }))}
          onChange={(chosen) => {
            setKind(chosen as Kind);
            setValue("");
          }}
        />
        {kind === "root" || kind === "storage" ? (
          <TextBox
            label={say(`hub.binding.kind.${kind}`)}
            code
            maxLength={4096}
            placeholder={EXAMPLES[kind]}
            value={value}
            onChange={setValue}
          />
        ) : kind === "credential" ? (
          <CredentialChoice project="" value={value} onChange={setValue} />
        ) : (
          <DatasetChoice project={project.id} value={value} onChange={setValue} />
        )}
        {kind === "storage" && <CredentialChoice project="" value={credential} onChange={setCredential} />}
      </Form>
    </Dialog>
  );
}

interface DatasetChoiceProps {
  project: string;
  value: string;
  onChange(value: string): void;
}

function DatasetChoice({ project, value, onChange }: DatasetChoiceProps) {
  const say = useWords();
  const all = useDatasets().data?.items ?? [];
  const others = all.filter((each) => each.project !== project);
  return (
    <Choice
      label={say("hub.kind.dataset")}
      value={value}
      options={[
        { value: "", label: say(others.length > 0 ? "hub.source.choose" : "hub.source.none") },
        ...others.map((each) => ({ value: each.id, label: each.display_name || each.name })),
      ]}
      onChange={onChange}
    />
  );
}

/** Secrets of a project: values that jobs get in variables, and that nobody is shown. */

import { useState } from "react";
import type { ProjectResponse, SecretResponse } from "../../../api/hub-schema.gen";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { TextArea } from "../../../ui/text-area";
import { TextBox } from "../../../ui/text-box";
import { deleteSecret, putSecret } from "../../api/projects";
import { notify } from "../../data/notice";
import { secretsKey, useSecrets } from "../../data/projects";
import { queries } from "../../data/queries";
import cell from "../../ui/cells.module.css";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Form } from "../../ui/form";
import style from "../../ui/form.module.css";
import { RowButton } from "../../ui/list-page";
import { ErrorNotice } from "../../ui/page";
import { Table } from "../../ui/table";

const EXAMPLE = "HF_TOKEN";

const again = (project: string) => queries.invalidateQueries({ queryKey: secretsKey(project) });

interface SecretsSectionProps {
  project: ProjectResponse;
  /** Whether the account may add secrets. */
  may: boolean;
}

export function SecretsSection({ project, may }: SecretsSectionProps) {
  const say = useWords();
  const list = useSecrets(project.id);
  const [setting, setSetting] = useState<SecretResponse | "new" | null>(null);
  const [removing, setRemoving] = useState<SecretResponse | null>(null);
  const items = list.data?.items ?? [];
  return (
    <section className={cell.part} aria-label={say("hub.secret.title")}>
      <div className={cell.sectionHead}>
        <h2 className={cell.section}>{say("hub.secret.title")}</h2>
        {may && (
          <Button icon="plus" data-testid="add-secret" onClick={() => setSetting("new")}>
            {say("hub.secret.add")}
          </Button>
        )}
      </div>
      <p className={style.hint}>{say("hub.secret.what")}</p>
      {list.error && !list.data && <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && <p>{say("hub.secret.none")}</p>}
      {items.length > 0 && (
        <Table
          label={say("hub.secret.title")}
          rows={items}
          rowKey={(each) => each.name}
          testId="secret"
          columns={[
            {
              id: "name",
              title: say("hub.field.name"),
              cell: (each) => <bdi className={cell.code}>{each.name}</bdi>,
            },
            {
              id: "owner",
              title: say("hub.field.owner"),
              cell: (each) => <bdi className={cell.whole}>{each.owner_name}</bdi>,
            },
            {
              id: "changed",
              title: say("hub.secret.changed"),
              wide: true,
              cell: (each) => dateTime(each.updated_at),
            },
            {
              id: "tools",
              title: say("hub.field.menu"),
              tools: true,
              cell: (each) => (
                <>
                  {each.rights.includes("secrets.update") && (
                    <RowButton
                      icon="pencil"
                      label={say("hub.secret.replaceNamed", { name: each.name })}
                      onClick={() => setSetting(each)}
                    />
                  )}
                  {each.rights.includes("secrets.delete") && (
                    <RowButton
                      icon="trash"
                      label={say("hub.secret.delete", { name: each.name })}
                      onClick={() => setRemoving(each)}
                    />
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      {setting && (
        <SetSecret
          project={project}
          secret={setting === "new" ? null : setting}
          taken={items.map(({ name }) => name)}
          onClose={() => setSetting(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={say("hub.secret.deleteAsk", { name: removing.name })}
          verb={say("hub.act.delete")}
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await deleteSecret(project.id, removing.name);
            await again(project.id);
          }}
        >
          <p>{say("hub.secret.deleteWhat")}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

interface SetSecretProps {
  project: ProjectResponse;
  /** The one whose value is replaced, null for a new one. */
  secret: SecretResponse | null;
  /** Names that a new one cannot have. */
  taken: readonly string[];
  onClose(): void;
}

function SetSecret({ project, secret, taken, onClose }: SetSecretProps) {
  const say = useWords();
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const isTaken = !secret && taken.includes(name.trim());
  const send = async () => {
    await putSecret(project.id, name.trim(), { value });
    await again(project.id);
    onClose();
    notify(say(secret ? "hub.secret.replaced" : "hub.secret.added", { name: name.trim() }));
  };
  const title = secret ? say("hub.secret.replaceNamed", { name: secret.name }) : say("hub.secret.add");
  return (
    <Dialog title={title} closeLabel={say("action.close")} open onClose={onClose}>
      <Form
        verb={say(secret ? "hub.secret.replace" : "hub.secret.add")}
        ready={name.trim() !== "" && value !== "" && !isTaken}
        onSend={send}
        onCancel={onClose}
      >
        {!secret && (
          <TextBox
            label={say("hub.field.name")}
            hint={say("hub.secret.nameHint")}
            fault={isTaken ? say("hub.secret.taken") : null}
            code
            maxLength={100}
            placeholder={EXAMPLE}
            value={name}
            onChange={setName}
          />
        )}
        <TextArea
          label={say("hub.field.value")}
          hint={say("hub.secret.valueHint")}
          value={value}
          rows={3}
          autoComplete="off"
          spellCheck={false}
          data-testid="secret-value"
          onChange={setValue}
        />
      </Form>
    </Dialog>
  );
}

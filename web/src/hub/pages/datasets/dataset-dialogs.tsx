/** Dialogs to create and edit a dataset: its name, location and credential. */

import { useState } from "react";
import type { CreateDataset, DatasetResponse } from "../../../api/hub-schema.gen";
import { useWords } from "../../../i18n/words";
import { Choice } from "../../../ui/choice";
import { Dialog } from "../../../ui/dialog";
import { TextBox } from "../../../ui/text-box";
import { changeDataset, createDataset } from "../../api/datasets";
import { DATASETS } from "../../data/datasets";
import { useProjectsWithPermission } from "../../data/projects";
import { queries } from "../../data/queries";
import { CredentialChoice, ProjectChoice } from "../../ui/choice-fields";
import { BrowseButton } from "../../ui/folder-picker";
import { Form } from "../../ui/form";
import style from "../../ui/form.module.css";

type Kind = CreateDataset["kind"];
const KINDS: readonly Kind[] = ["path", "storage", "s3", "gs", "az", "oss", "nfs", "pvc", "reference"];
const EXAMPLES: Record<Kind, string> = {
  path: "/data/corpus",
  storage: "storage:corpus",
  s3: "s3://bucket/path",
  gs: "gs://bucket/path",
  az: "az://container/path",
  oss: "oss://bucket/path",
  nfs: "/mnt/nfs/corpus",
  pvc: "/mnt/pvc/corpus",
  reference: "corpus-2026",
};
const STORES: readonly Kind[] = ["s3", "gs", "az", "oss"];
const FOLDERS: readonly Kind[] = ["path", "nfs", "pvc"];
/** Folders need no credential. */
const inStore = (kind: Kind) => STORES.includes(kind);

const again = () => queries.invalidateQueries({ queryKey: DATASETS });

export function NewDataset({ onClose }: { onClose(): void }) {
  const say = useWords();
  const places = useProjectsWithPermission("datasets.create");
  const [name, setName] = useState("");
  const [chosen, setProject] = useState("");
  const project = chosen || (places[0]?.id ?? "");
  const [kind, setKind] = useState<Kind>("path");
  const [uri, setUri] = useState("");
  const [credential, setCredential] = useState("");
  const send = async () => {
    await createDataset({
      display_name: name.trim(),
      project,
      kind,
      uri: uri.trim(),
      credential: inStore(kind) ? credential : "",
    });
    await again();
    onClose();
  };
  return (
    <Dialog title={say("hub.dataset.new")} closeLabel={say("action.close")} open onClose={onClose}>
      <Form
        verb={say("hub.new.create")}
        ready={name.trim() !== "" && uri.trim() !== ""}
        onSend={send}
        onCancel={onClose}
      >
        <div className={style.row}>
          <TextBox label={say("hub.field.name")} value={name} maxLength={200} onChange={setName} />
          <ProjectChoice places={places} value={project} onChange={setProject} />
        </div>
        <div className={style.row}>
          <Choice
            label={say("hub.source.kind")}
            value={kind}
            options={KINDS.map((value) => ({ value, label: say(`hub.datasetKind.${value}`) }))}
            onChange={(value) => setKind(value as Kind)}
          />
          {inStore(kind) && (
            <CredentialChoice project={project} value={credential} onChange={setCredential} />
          )}
        </div>
        <Place project={project} kind={kind} value={uri} onChange={setUri} />
      </Form>
    </Dialog>
  );
}

/** The kind of the location cannot be changed. */
export function EditDataset({ dataset, onClose }: { dataset: DatasetResponse; onClose(): void }) {
  const say = useWords();
  const [name, setName] = useState(dataset.display_name);
  const [uri, setUri] = useState(dataset.uri);
  const [credential, setCredential] = useState(dataset.credential);
  const send = async () => {
    await changeDataset(dataset.id, { display_name: name.trim(), uri: uri.trim(), credential });
    await again();
    onClose();
  };
  return (
    <Dialog
      title={say("hub.edit.title", { name: dataset.name })}
      closeLabel={say("action.close")}
      open
      onClose={onClose}
    >
      <Form verb={say("action.save")} ready={uri.trim() !== ""} onSend={send} onCancel={onClose}>
        <TextBox label={say("hub.field.name")} value={name} maxLength={200} onChange={setName} />
        <Place
          project={dataset.project}
          kind={dataset.kind}
          value={uri}
          hint={say("hub.dataset.editHint")}
          onChange={setUri}
        />
        {inStore(dataset.kind) && (
          <CredentialChoice project={dataset.project} value={credential} onChange={setCredential} />
        )}
      </Form>
    </Dialog>
  );
}

interface PlaceProps {
  project: string;
  kind: Kind;
  value: string;
  hint?: string;
  onChange(value: string): void;
}

function Place({ project, kind, value, hint = "", onChange }: PlaceProps) {
  const say = useWords();
  // Accounts that may not create TensorBoards in the project are not shown its folders.
  const browses = useProjectsWithPermission("tensorboards.create").some((place) => place.id === project);
  return (
    <TextBox
      label={say("hub.field.place")}
      hint={hint}
      code
      value={value}
      maxLength={4096}
      placeholder={EXAMPLES[kind]}
      onChange={onChange}
      beside={
        browses &&
        FOLDERS.includes(kind) && (
          <BrowseButton project={project} root="" value={value} onChoose={(_, uri) => onChange(uri)} />
        )
      }
    />
  );
}

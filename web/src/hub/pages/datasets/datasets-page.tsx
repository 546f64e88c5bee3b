/** Datasets: named places with data, to be used by name. */

import { useState } from "react";
import { createDataset, deleteDataset } from "../../../api/hub/datasets";
import type { CreateDataset, DatasetAnswer } from "../../../api/hub/schema.gen";
import { Button } from "../../../widgets/button";
import { Choice } from "../../../widgets/choice";
import { Dialog } from "../../../widgets/dialog";
import { TextBox } from "../../../widgets/text-box";
import { dateTime } from "../../../words/format";
import { useWords } from "../../../words/words";
import { Ask } from "../../parts/ask";
import cell from "../../parts/cells.module.css";
import { Form } from "../../parts/form";
import style from "../../parts/form.module.css";
import { Link } from "../../parts/link";
import { Fault, Nothing, Page } from "../../parts/page";
import { Table } from "../../parts/table";
import { useCredentials } from "../../state/credentials";
import { DATASETS, useDatasets, useUsedBy } from "../../state/datasets";
import { mayInProject, useMe } from "../../state/me";
import { usePlaces, useProjects } from "../../state/projects";
import { queries } from "../../state/queries";

type Kind = CreateDataset["kind"];
const KINDS: readonly Kind[] = ["path", "s3", "gs", "az", "oss", "nfs", "pvc", "reference"];
const EXAMPLES: Record<Kind, string> = {
  path: "/data/corpus",
  s3: "s3://bucket/path",
  gs: "gs://bucket/path",
  az: "az://container/path",
  oss: "oss://bucket/path",
  nfs: "/mnt/nfs/corpus",
  pvc: "/mnt/pvc/corpus",
  reference: "corpus-2026",
};
const STORES: readonly Kind[] = ["s3", "gs", "az", "oss"];

const again = () => queries.invalidateQueries({ queryKey: DATASETS });

export default function DatasetsPage() {
  const say = useWords();
  const me = useMe().data;
  const list = useDatasets();
  const [making, setMaking] = useState(false);
  const [going, setGoing] = useState<DatasetAnswer | null>(null);
  const [usedOf, setUsedOf] = useState<DatasetAnswer | null>(null);
  const projects = useProjects().data?.items ?? [];
  const names = new Map(projects.map((each) => [each.id, each.display_name || each.name]));
  const items = list.data?.items ?? [];
  return (
    <Page
      name="datasets"
      title={say("hub.page.datasets")}
      busy={list.isPending}
      actions={
        mayInProject(me, "datasets.create") && (
          <Button look="primary" icon="plus" data-testid="new" onClick={() => setMaking(true)}>
            {say("hub.dataset.new")}
          </Button>
        )
      }
    >
      {list.isError && !list.data && <Fault fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <Nothing title={say("hub.dataset.none")}>
          <p>{say("hub.dataset.what")}</p>
        </Nothing>
      )}
      {items.length > 0 && (
        <Table
          label={say("hub.page.datasets")}
          rows={items}
          rowKey={(each) => each.id}
          testId="dataset"
          columns={[
            {
              id: "name",
              title: say("hub.field.name"),
              cell: (each) => (
                <>
                  <bdi className={cell.strong}>{each.display_name || each.name}</bdi>
                  <bdi className={cell.second}>{each.name}</bdi>
                </>
              ),
            },
            {
              id: "place",
              title: say("hub.field.place"),
              cell: (each) => <bdi className={cell.code}>{each.uri}</bdi>,
            },
            {
              id: "kind",
              title: say("hub.source.kind"),
              wide: true,
              cell: (each) => say(`hub.datasetKind.${each.kind}`),
            },
            {
              id: "project",
              title: say("hub.field.project"),
              wide: true,
              cell: (each) => <bdi>{names.get(each.project) ?? each.project}</bdi>,
            },
            {
              id: "owner",
              title: say("hub.field.owner"),
              wide: true,
              cell: (each) => <bdi>{each.owner_name}</bdi>,
            },
            {
              id: "created",
              title: say("hub.field.created"),
              wide: true,
              cell: (each) => dateTime(each.created_at),
            },
            {
              id: "used",
              title: say("hub.dataset.used"),
              wide: true,
              cell: (each) =>
                each.used_by === 0 ? (
                  "–"
                ) : (
                  <Button look="quiet" size="small" onClick={() => setUsedOf(each)}>
                    {say("hub.dataset.usedBy", { count: each.used_by })}
                  </Button>
                ),
            },
            {
              id: "tools",
              title: say("hub.field.menu"),
              tools: true,
              cell: (each) =>
                each.rights.includes("datasets.delete") && (
                  <Button
                    look="quiet"
                    size="small"
                    icon="trash"
                    label={say("hub.dataset.remove", { name: each.name })}
                    onClick={() => setGoing(each)}
                  />
                ),
            },
          ]}
        />
      )}
      {making && <NewDataset onClose={() => setMaking(false)} />}
      {usedOf && <Users dataset={usedOf} onClose={() => setUsedOf(null)} />}
      {going && (
        <Ask
          title={say("hub.dataset.remove", { name: going.name })}
          verb={say("hub.act.delete")}
          onClose={() => setGoing(null)}
          onYes={() => deleteDataset(going.id).then(again)}
        >
          <p>{say("hub.dataset.kept")}</p>
          {going.used_by > 0 && <p>{say("hub.dataset.usedBy", { count: going.used_by })}</p>}
        </Ask>
      )}
    </Page>
  );
}

function Users({ dataset, onClose }: { dataset: DatasetAnswer; onClose(): void }) {
  const say = useWords();
  const used = useUsedBy(dataset.id);
  return (
    <Dialog
      title={say("hub.dataset.usedBy", { count: dataset.used_by })}
      closeLabel={say("action.close")}
      open
      onClose={onClose}
    >
      <ul className={cell.list}>
        {(used.data?.items ?? []).map((each) => (
          <li key={each.id}>
            <Link to={`/tensorboards/${each.id}`}>
              <bdi>{each.display_name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function NewDataset({ onClose }: { onClose(): void }) {
  const say = useWords();
  const credentials = useCredentials();
  const places = usePlaces("datasets.create");
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
      credential: STORES.includes(kind) ? credential : "",
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
          {places.length > 1 && (
            <Choice
              label={say("hub.field.project")}
              value={project}
              options={places.map((each) => ({ value: each.id, label: each.name }))}
              onChange={setProject}
            />
          )}
        </div>
        <div className={style.row}>
          <Choice
            label={say("hub.source.kind")}
            value={kind}
            options={KINDS.map((value) => ({ value, label: say(`hub.datasetKind.${value}`) }))}
            onChange={(value) => setKind(value as Kind)}
          />
          <TextBox
            label={say("hub.field.place")}
            code
            value={uri}
            maxLength={4096}
            placeholder={EXAMPLES[kind]}
            onChange={setUri}
          />
        </div>
        {STORES.includes(kind) && (
          <Choice
            label={say("hub.dataset.credential")}
            hint={say("hub.dataset.credentialHint")}
            value={credential}
            options={[
              { value: "", label: say("hub.dataset.noCredential") },
              ...credentials.map((each) => ({ value: each, label: each })),
            ]}
            onChange={setCredential}
          />
        )}
      </Form>
    </Dialog>
  );
}

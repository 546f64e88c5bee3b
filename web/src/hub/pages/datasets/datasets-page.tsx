/** Datasets: named places with data. */

import { useState } from "react";
import type { DatasetResponse } from "../../../api/hub-schema.gen";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Breakable } from "../../../ui/breakable";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { deleteDataset } from "../../api/datasets";
import { DATASETS, useDatasets, useUsedBy } from "../../data/datasets";
import { hasProjectPermission, useMe } from "../../data/me";
import { useProjects } from "../../data/projects";
import { queries } from "../../data/queries";
import cell from "../../ui/cells.module.css";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Link } from "../../ui/link";
import { ListPage, NameCell, RowButton } from "../../ui/list-page";
import { NoProject, useHasProject } from "../../ui/no-project";
import { EmptyState } from "../../ui/page";
import { EditDataset, NewDataset } from "./dataset-dialogs";

const again = () => queries.invalidateQueries({ queryKey: DATASETS });

export default function DatasetsPage() {
  const say = useWords();
  const me = useMe().data;
  const hasProject = useHasProject();
  const list = useDatasets();
  const [making, setMaking] = useState(false);
  const [editing, setEditing] = useState<DatasetResponse | null>(null);
  const [going, setGoing] = useState<DatasetResponse | null>(null);
  const [usedOf, setUsedOf] = useState<DatasetResponse | null>(null);
  const projects = useProjects().data?.items ?? [];
  const names = new Map(projects.map((each) => [each.id, each.display_name || each.name]));
  const create = hasProjectPermission(me, "datasets.create")
    ? { label: say("hub.dataset.new"), onClick: () => setMaking(true) }
    : null;
  return (
    <ListPage
      name="datasets"
      title={say("hub.page.datasets")}
      list={list}
      rowTestId="dataset"
      none={
        hasProject ? (
          <EmptyState title={say("hub.dataset.none")}>
            <p>{say("hub.dataset.what")}</p>
            {create && (
              <Button variant="primary" icon="plus" onClick={create.onClick}>
                {create.label}
              </Button>
            )}
          </EmptyState>
        ) : (
          <NoProject />
        )
      }
      make={create}
      columns={[
        {
          id: "name",
          title: say("hub.field.name"),
          cell: (each) => <NameCell name={each.name} shown={each.display_name} />,
        },
        {
          id: "place",
          title: say("hub.field.place"),
          cell: (each) => (
            <bdi className={cell.code}>
              <Breakable>{each.uri}</Breakable>
            </bdi>
          ),
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
              <Button variant="quiet" size="small" onClick={() => setUsedOf(each)}>
                {say("hub.dataset.usedBy", { count: each.used_by })}
              </Button>
            ),
        },
        {
          id: "tools",
          title: say("hub.field.menu"),
          tools: true,
          cell: (each) => (
            <span className={cell.tools}>
              {each.rights.includes("datasets.update") && (
                <RowButton
                  icon="pencil"
                  label={say("hub.edit.title", { name: each.name })}
                  onClick={() => setEditing(each)}
                />
              )}
              {each.rights.includes("datasets.delete") && (
                <RowButton
                  icon="trash"
                  label={say("hub.dataset.remove", { name: each.name })}
                  onClick={() => setGoing(each)}
                />
              )}
            </span>
          ),
        },
      ]}
    >
      {making && <NewDataset onClose={() => setMaking(false)} />}
      {editing && <EditDataset dataset={editing} onClose={() => setEditing(null)} />}
      {usedOf && <Users dataset={usedOf} onClose={() => setUsedOf(null)} />}
      {going && (
        <ConfirmDialog
          title={say("hub.dataset.remove", { name: going.name })}
          verb={say("hub.act.delete")}
          onClose={() => setGoing(null)}
          onConfirm={() => deleteDataset(going.id).then(again)}
        >
          <p>{say("hub.dataset.kept")}</p>
          {going.used_by > 0 && <p>{say("hub.dataset.usedBy", { count: going.used_by })}</p>}
        </ConfirmDialog>
      )}
    </ListPage>
  );
}

function Users({ dataset, onClose }: { dataset: DatasetResponse; onClose(): void }) {
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

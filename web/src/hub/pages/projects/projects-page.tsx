/** Projects: who works together, and on what. */

import { useState } from "react";
import { createProject } from "../../../api/hub/projects";
import { Button } from "../../../widgets/button";
import { Dialog } from "../../../widgets/dialog";
import { TextBox } from "../../../widgets/text-box";
import { dateTime } from "../../../words/format";
import { useWords } from "../../../words/words";
import cell from "../../parts/cells.module.css";
import { Form } from "../../parts/form";
import { Link } from "../../parts/link";
import { Fault, Nothing, Page } from "../../parts/page";
import { Table } from "../../parts/table";
import { meQuery, useMe } from "../../state/me";
import { PROJECTS, useProjects } from "../../state/projects";
import { queries } from "../../state/queries";
import { go } from "../../state/route";

export default function ProjectsPage() {
  const say = useWords();
  const me = useMe().data;
  const list = useProjects();
  const [making, setMaking] = useState(false);
  const items = list.data?.items ?? [];
  return (
    <Page
      name="projects"
      title={say("hub.page.projects")}
      busy={list.isPending}
      actions={
        me?.hub_rights.includes("projects.create") && (
          <Button look="primary" icon="plus" data-testid="new" onClick={() => setMaking(true)}>
            {say("hub.project.new")}
          </Button>
        )
      }
    >
      {list.isError && !list.data && <Fault fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <Nothing title={say("hub.project.none")}>
          <p>{say("hub.project.noneWhat")}</p>
        </Nothing>
      )}
      {items.length > 0 && (
        <Table
          label={say("hub.page.projects")}
          rows={items}
          rowKey={(each) => each.id}
          testId="project"
          columns={[
            {
              id: "name",
              title: say("hub.field.name"),
              cell: (each) => (
                <>
                  <Link to={`/projects/${each.id}`} className={cell.strong}>
                    <bdi>{each.display_name || each.name}</bdi>
                  </Link>
                  <bdi className={cell.second}>{each.name}</bdi>
                </>
              ),
            },
            {
              id: "role",
              title: say("hub.project.myRole"),
              cell: (each) => (each.role ? say(`hub.role.${each.role}`) : "–"),
            },
            { id: "members", title: say("hub.project.members"), cell: (each) => String(each.members) },
            {
              id: "created",
              title: say("hub.field.created"),
              wide: true,
              cell: (each) => dateTime(each.created_at),
            },
          ]}
        />
      )}
      {making && <NewProject onClose={() => setMaking(false)} />}
    </Page>
  );
}

function NewProject({ onClose }: { onClose(): void }) {
  const say = useWords();
  const [name, setName] = useState("");
  const send = async () => {
    const made = await createProject({ display_name: name.trim() });
    await Promise.all([
      queries.invalidateQueries({ queryKey: PROJECTS }),
      queries.invalidateQueries({ queryKey: meQuery.queryKey }),
    ]);
    onClose();
    go(`/projects/${made.id}`);
  };
  return (
    <Dialog title={say("hub.project.new")} closeLabel={say("action.close")} open onClose={onClose}>
      <Form verb={say("hub.new.create")} ready={name.trim() !== ""} onSend={send} onCancel={onClose}>
        <TextBox label={say("hub.field.name")} value={name} maxLength={200} onChange={setName} />
      </Form>
    </Dialog>
  );
}

/** The list of projects. */

import { useState } from "react";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Dialog } from "../../../ui/dialog";
import { TextBox } from "../../../ui/text-box";
import { createProject } from "../../api/projects";
import { meQuery, useMe } from "../../data/me";
import { PROJECTS, useProjects } from "../../data/projects";
import { queries } from "../../data/queries";
import { go } from "../../data/route";
import cell from "../../ui/cells.module.css";
import { Form } from "../../ui/form";
import { ListPage, NameCell } from "../../ui/list-page";
import { EmptyState } from "../../ui/page";
import { Invitations } from "./invitations";

export default function ProjectsPage() {
  const say = useWords();
  const me = useMe().data;
  const list = useProjects();
  const [making, setMaking] = useState(false);
  return (
    <ListPage
      name="projects"
      title={say("hub.page.projects")}
      list={list}
      rowTestId="project"
      none={
        <EmptyState title={say("hub.project.none")}>
          <p>{say("hub.project.noneWhat")}</p>
        </EmptyState>
      }
      make={
        me?.hub_rights.includes("projects.create")
          ? { label: say("hub.project.new"), onClick: () => setMaking(true) }
          : null
      }
      columns={[
        {
          id: "name",
          title: say("hub.field.name"),
          cell: (each) => <NameCell name={each.name} shown={each.display_name} to={`/projects/${each.id}`} />,
        },
        {
          id: "role",
          title: say("hub.project.myRole"),
          cell: (each) => (
            <span className={cell.whole}>{each.role ? say(`hub.role.${each.role}`) : "–"}</span>
          ),
        },
        { id: "members", title: say("hub.project.members"), cell: (each) => String(each.members) },
        {
          id: "created",
          title: say("hub.field.created"),
          wide: true,
          cell: (each) => dateTime(each.created_at),
        },
      ]}
    >
      <Invitations />
      {making && <NewProject onClose={() => setMaking(false)} />}
    </ListPage>
  );
}

function NewProject({ onClose }: { onClose(): void }) {
  const say = useWords();
  const [name, setName] = useState("");
  const send = async () => {
    const project = await createProject({ display_name: name.trim() });
    await Promise.all([
      queries.invalidateQueries({ queryKey: PROJECTS }),
      queries.invalidateQueries({ queryKey: meQuery.queryKey }),
    ]);
    onClose();
    go(`/projects/${project.id}`);
  };
  return (
    <Dialog title={say("hub.project.new")} closeLabel={say("action.close")} open onClose={onClose}>
      <Form verb={say("hub.new.create")} ready={name.trim() !== ""} onSend={send} onCancel={onClose}>
        <TextBox label={say("hub.field.name")} value={name} maxLength={200} onChange={setName} />
      </Form>
    </Dialog>
  );
}

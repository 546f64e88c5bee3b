/** One project: its settings and its members. */

import { useState } from "react";
import type { MemberResponse, ProjectResponse } from "../../../api/hub-schema.gen";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { Select } from "../../../ui/select";
import { TextBox } from "../../../ui/text-box";
import { changeProject, deleteProject, removeMember, setMember } from "../../api/projects";
import { hasProjectPermission, meQuery, useMe } from "../../data/me";
import { notify, notifyError } from "../../data/notice";
import { membersKey, PROJECTS, useMembers, useProjects } from "../../data/projects";
import { queries } from "../../data/queries";
import { go } from "../../data/route";
import cell from "../../ui/cells.module.css";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Form } from "../../ui/form";
import { Link } from "../../ui/link";
import { NameCell, RowButton } from "../../ui/list-page";
import { ErrorNotice, Page } from "../../ui/page";
import { Table } from "../../ui/table";
import { BindingsSection } from "./bindings";
import { MemberDialog, ROLES, type Role } from "./member-dialog";
import { SecretsSection } from "./secrets";
import { InviteDialog, SentInvitations } from "./sent-invitations";

const again = (id: string) =>
  Promise.all(
    [PROJECTS, membersKey(id), meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );

export default function ProjectPage({ id }: { id: string }) {
  const say = useWords();
  const list = useProjects();
  const project = list.data?.items.find((each) => each.id === id || each.name === id);
  const above = <Link to="/projects">{say("hub.page.projects")}</Link>;
  if (!project)
    return (
      <Page name="project" title={say("hub.page.projects")} above={above} busy={list.isPending}>
        {list.data && <p>{say("hub.project.missing")}</p>}
        {list.error && <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />}
      </Page>
    );
  return <One project={project} />;
}

function One({ project }: { project: ProjectResponse }) {
  const say = useWords();
  const me = useMe().data;
  const [over, setOver] = useState<"nothing" | "add" | "invite" | "delete">("nothing");
  const may = (right: string) => hasProjectPermission(me, right, project.id);
  const name = project.display_name || project.name;
  const close = () => setOver("nothing");
  // Administrators of the hub add members at once, all others invite them.
  const adds = me?.account.administrator === true;
  return (
    <Page
      name="project"
      title={name}
      above={<Link to="/projects">{say("hub.page.projects")}</Link>}
      actions={
        may("project.delete") && (
          <Button icon="trash" onClick={() => setOver("delete")}>
            {say("hub.project.delete")}
          </Button>
        )
      }
    >
      <div className={cell.sectionHead}>
        <h2 className={cell.section}>{say("hub.project.members")}</h2>
        {may("members.invite") && (
          <Button icon="plus" data-testid="add-member" onClick={() => setOver(adds ? "add" : "invite")}>
            {say(adds ? "hub.project.add" : "hub.invitation.title")}
          </Button>
        )}
      </div>
      <Members project={project} may={may("members.update")} />
      {may("members.invite") && <SentInvitations project={project} />}
      {may("bindings.list") && <BindingsSection project={project} may={me?.account.administrator === true} />}
      {may("secrets.list") && <SecretsSection project={project} may={may("secrets.create")} />}
      {may("project.update") && <Settings project={project} />}
      {over === "invite" && (
        <InviteDialog
          project={project}
          roles={project.role === "owner" ? ROLES : ROLES.filter((role) => role !== "owner")}
          onClose={close}
        />
      )}
      {over === "add" && <AddMember project={project} onClose={close} />}
      {over === "delete" && (
        <ConfirmDialog
          title={say("hub.project.deleteNamed", { name })}
          verb={say("hub.act.delete")}
          onClose={close}
          onConfirm={async () => {
            await deleteProject(project.id);
            await again(project.id);
            go("/projects");
          }}
        >
          <p>{say("hub.project.deleteWhat")}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function Members({ project, may }: { project: ProjectResponse; may: boolean }) {
  const say = useWords();
  const members = useMembers(project.id);
  const [removing, setRemoving] = useState<MemberResponse | null>(null);
  const setRole = (member: MemberResponse, role: Role) =>
    setMember(project.id, { account: member.account, role }).then(() => again(project.id), notifyError);
  if (members.error && !members.data)
    return <ErrorNotice fault={members.error} onRetry={() => void members.refetch()} />;
  return (
    <>
      <Table
        label={say("hub.project.members")}
        rows={members.data?.items ?? []}
        rowKey={(each) => each.account}
        testId="member"
        columns={[
          {
            id: "name",
            title: say("hub.field.name"),
            cell: (each) => <NameCell name={each.name} shown={each.display_name} />,
          },
          {
            id: "role",
            title: say("hub.field.role"),
            cell: (each) =>
              may ? (
                <Select
                  label={say("hub.project.roleOf", { name: each.name })}
                  value={each.role}
                  options={ROLES.map((value) => ({ value, label: say(`hub.role.${value}`) }))}
                  onChange={(value) => void setRole(each, value as Role)}
                />
              ) : (
                say(`hub.role.${each.role}`)
              ),
          },
          { id: "since", title: say("hub.project.since"), wide: true, cell: (each) => dateTime(each.since) },
          {
            id: "tools",
            title: say("hub.field.menu"),
            tools: true,
            cell: (each) =>
              may && (
                <RowButton
                  icon="trash"
                  label={say("hub.project.remove", { name: each.name })}
                  onClick={() => setRemoving(each)}
                />
              ),
          },
        ]}
      />
      {removing && (
        <ConfirmDialog
          title={say("hub.project.removeAsk", { name: removing.name })}
          verb={say("hub.project.removeVerb")}
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await removeMember(project.id, removing.account);
            await again(project.id);
          }}
        >
          <p>{say("hub.project.removeWhat")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function AddMember({ project, onClose }: { project: ProjectResponse; onClose(): void }) {
  const say = useWords();
  return (
    <MemberDialog
      title={say("hub.project.add")}
      verb={say("hub.project.addVerb")}
      hint={say("hub.project.accountHint")}
      roles={ROLES}
      onClose={onClose}
      onSend={async (account, role) => {
        await setMember(project.id, { account, role });
        await again(project.id);
      }}
    />
  );
}

function Settings({ project }: { project: ProjectResponse }) {
  const say = useWords();
  const [name, setName] = useState(project.display_name);
  const [storage, setStorage] = useState(project.storage);
  const send = async () => {
    await changeProject(project.id, {
      ...(name.trim() !== project.display_name && { display_name: name.trim() }),
      ...(storage.trim() !== project.storage && { storage: storage.trim() }),
    });
    await again(project.id);
    notify(say("hub.notice.saved"));
  };
  return (
    <div className={cell.narrow}>
      <div className={cell.card}>
        <h2>{say("hub.page.settings")}</h2>
        <Form
          verb={say("action.save")}
          ready={name.trim() !== project.display_name || storage.trim() !== project.storage}
          onSend={send}
        >
          <TextBox label={say("hub.field.name")} value={name} maxLength={200} onChange={setName} />
          <TextBox
            label={say("hub.project.storage")}
            hint={say("hub.project.storageHint")}
            code
            value={storage}
            maxLength={4096}
            onChange={setStorage}
          />
        </Form>
      </div>
    </div>
  );
}

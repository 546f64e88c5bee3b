/** Invitations to a project: pending ones, and a dialog for a new one. */

import type { ProjectResponse } from "../../../api/hub-schema.gen";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { invite, withdraw } from "../../api/invitations";
import { notify, notifyError } from "../../data/notice";
import { sentInvitationsKey, useSentInvitations } from "../../data/projects";
import { queries } from "../../data/queries";
import cell from "../../ui/cells.module.css";
import { RowButton, TableSection } from "../../ui/list-page";
import { MemberDialog, type Role } from "./member-dialog";

const again = (project: string) => queries.invalidateQueries({ queryKey: sentInvitationsKey(project) });

export function SentInvitations({ project }: { project: ProjectResponse }) {
  const say = useWords();
  const items = useSentInvitations(project.id).data?.items ?? [];
  return (
    <TableSection
      title={say("hub.invitation.sent")}
      rows={items}
      testId="sent-invitation"
      columns={[
        {
          id: "name",
          title: say("hub.field.name"),
          cell: (each) => <bdi className={cell.strong}>{each.account}</bdi>,
        },
        {
          id: "role",
          title: say("hub.field.role"),
          cell: (each) => <span className={cell.whole}>{say(`hub.role.${each.role}`)}</span>,
        },
        {
          id: "until",
          title: say("hub.invitation.until"),
          wide: true,
          cell: (each) => dateTime(each.expires_at),
        },
        {
          id: "tools",
          title: say("hub.field.menu"),
          tools: true,
          cell: (each) => (
            <RowButton
              icon="trash"
              label={say("hub.invitation.withdraw", { name: each.account })}
              onClick={() => void withdraw(project.id, each.id).then(() => again(project.id), notifyError)}
            />
          ),
        },
      ]}
    />
  );
}

interface InviteDialogProps {
  project: ProjectResponse;
  roles: readonly Role[];
  onClose(): void;
}

export function InviteDialog({ project, roles, onClose }: InviteDialogProps) {
  const say = useWords();
  return (
    <MemberDialog
      title={say("hub.invitation.title")}
      verb={say("hub.invitation.verb")}
      hint={say("hub.invitation.what")}
      roles={roles}
      onClose={onClose}
      onSend={async (account, role) => {
        const invitation = await invite(project.id, { account, role });
        await again(project.id);
        notify(say("hub.invitation.done", { name: invitation.account }));
      }}
    />
  );
}

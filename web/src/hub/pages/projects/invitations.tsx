/** Invitations that the account received, to accept or decline. */

import type { InvitationResponse } from "../../../api/hub-schema.gen";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { accept, decline } from "../../api/invitations";
import { meQuery } from "../../data/me";
import { notify, notifyError } from "../../data/notice";
import { INVITATIONS, PROJECTS, useInvitations } from "../../data/projects";
import { queries } from "../../data/queries";
import cell from "../../ui/cells.module.css";
import { TableSection } from "../../ui/list-page";

const again = () =>
  Promise.all(
    [INVITATIONS, PROJECTS, meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );

export function Invitations() {
  const say = useWords();
  const items = useInvitations().data?.items ?? [];
  const join = async (each: InvitationResponse) => {
    const project = await accept(each.id);
    notify(say("hub.invitation.joined", { name: project.display_name || project.name }));
    await again();
  };
  return (
    <TableSection
      title={say("hub.invitation.mine")}
      rows={items}
      testId="invitation"
      columns={[
        {
          id: "project",
          title: say("hub.field.project"),
          cell: (each) => (
            <>
              <bdi className={cell.strong}>{each.project_display_name || each.project_name}</bdi>
              <span className={cell.second}>
                {say("hub.invitation.offer", {
                  role: say(`hub.role.${each.role}`),
                  name: each.inviter_name,
                })}
              </span>
            </>
          ),
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
            <>
              <Button size="small" onClick={() => void join(each).catch(notifyError)}>
                {say("hub.invitation.accept")}
              </Button>
              <Button
                variant="quiet"
                size="small"
                onClick={() => void decline(each.id).then(again).catch(notifyError)}
              >
                {say("hub.invitation.decline")}
              </Button>
            </>
          ),
        },
      ]}
    />
  );
}

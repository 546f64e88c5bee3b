/** Who did and opened what, newest first: of the whole hub, or of the projects that the account administers. */

import { dateTime, timeOfDay } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { useAudit } from "../../data/accounts";
import { useMe } from "../../data/me";
import { useProjectsWithPermission } from "../../data/projects";
import { useQuery } from "../../data/route";
import cell from "../../ui/cells.module.css";
import { EmptyState, ErrorNotice, Page } from "../../ui/page";
import { QueryBar, QueryChoice, QueryText } from "../../ui/query-fields";
import { Table } from "../../ui/table";

/** Actions of the audit, as the server writes them. */
const ACTIONS = [
  ...["login", "logout", "account.create", "account.change", "token.create", "token.remove"],
  ...["project.create", "project.change", "project.delete", "member.set", "member.remove"],
  ...["dataset.create", "dataset.change", "dataset.delete", "share.create", "share.revoke"],
  ...[
    "tensorboard.create",
    "tensorboard.change",
    "tensorboard.open",
    "tensorboard.start",
    "tensorboard.stop",
  ],
  "tensorboard.delete",
] as const;

export default function AuditPage() {
  const say = useWords();
  const query = useQuery();
  const places = useProjectsWithPermission("audit.list");
  const ofHub = useMe().data?.hub_rights.includes("hub.read") === true;
  const usual = ofHub ? "" : (places[0]?.id ?? "");
  const request = new URLSearchParams({ project: usual });
  for (const name of ["project", "actor", "action"]) {
    const value = query.get(name)?.trim();
    if (value) request.set(name, value);
  }
  const list = useAudit(request.toString());
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page name="audit" title={say("hub.page.audit")} busy={list.isPending}>
      <QueryBar>
        <QueryText name="actor" label={say("hub.login.name")} />
        <QueryChoice
          name="action"
          label={say("hub.audit.what")}
          options={ACTIONS.map((value) => ({ value, label: value }))}
        />
        {places.length > 1 && (
          <QueryChoice
            name="project"
            label={say("hub.field.project")}
            usual={usual}
            options={places.map((each) => ({ value: each.id, label: each.name }))}
          />
        )}
      </QueryBar>
      {list.isError && !list.data && <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <EmptyState title={say(request.size > 1 ? "hub.list.noMatch" : "hub.audit.none")} />
      )}
      {items.length > 0 && (
        <Table
          label={say("hub.page.audit")}
          rows={items}
          rowKey={(each) => each.id}
          testId="audit-row"
          columns={[
            {
              id: "at",
              title: say("hub.audit.when"),
              cell: (each) => (
                <time dateTime={new Date(each.at * 1000).toISOString()} title={timeOfDay(each.at)}>
                  {dateTime(each.at)}
                </time>
              ),
            },
            {
              id: "actor",
              title: say("hub.audit.who"),
              cell: (each) => (each.actor_name ? <bdi>{each.actor_name}</bdi> : say("hub.detail.itself")),
            },
            {
              id: "action",
              title: say("hub.audit.what"),
              cell: (each) => <bdi className={`${cell.code} ${cell.whole}`}>{each.action}</bdi>,
            },
            {
              id: "target",
              title: say("hub.audit.target"),
              wide: true,
              cell: (each) => <bdi className={cell.code}>{each.target || "–"}</bdi>,
            },
            {
              id: "via",
              title: say("hub.audit.via"),
              wide: true,
              cell: (each) => <bdi>{each.via || "–"}</bdi>,
            },
            {
              id: "address",
              title: say("hub.audit.address"),
              wide: true,
              cell: (each) => <bdi>{each.address || "–"}</bdi>,
            },
          ]}
        />
      )}
      {list.hasNextPage && (
        <div>
          <Button aria-busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {say("hub.audit.more")}
          </Button>
        </div>
      )}
    </Page>
  );
}

/** Who did and opened what, newest first. */

import { Button } from "../../../widgets/button";
import { dateTime, timeOfDay } from "../../../words/format";
import { useWords } from "../../../words/words";
import cell from "../../parts/cells.module.css";
import { Fault, Nothing, Page } from "../../parts/page";
import { Table } from "../../parts/table";
import { useAudit } from "../../state/audit";

export default function AuditPage() {
  const say = useWords();
  const list = useAudit("");
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page name="audit" title={say("hub.page.audit")} busy={list.isPending}>
      {list.isError && !list.data && <Fault fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && <Nothing title={say("hub.audit.none")} />}
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
              cell: (each) => <bdi className={cell.code}>{each.action}</bdi>,
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

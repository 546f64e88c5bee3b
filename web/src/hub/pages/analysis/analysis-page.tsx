/** Job Analysis: a list of all TensorBoards that the account may see, whoever created them. */

import { useState } from "react";
import { Button } from "../../../widgets/button";
import { Segmented } from "../../../widgets/segmented";
import { useWords } from "../../../words/words";
import { LimitMeter } from "../../parts/limit-meter";
import { NewTensorboard } from "../../parts/new-tensorboard";
import { NoProject, useHasProject } from "../../parts/no-project";
import { EmptyState, ErrorNotice, Page } from "../../parts/page";
import { QueryBar, QueryChoice, QueryText } from "../../parts/query-fields";
import { usePermitted } from "../../state/accounts";
import { hasProjectPermission, useMe } from "../../state/me";
import { useProjects } from "../../state/projects";
import { putQuery, useQuery } from "../../state/route";
import { useTensorboards } from "../../state/tensorboards";
import { BoardList } from "./board-list";
import { FILTERS, requestOf } from "./filters";

export function AnalysisPage() {
  const say = useWords();
  const me = useMe().data;
  const query = useQuery();
  const kind = query.get("kind") ?? "tensorboard";
  const [making, setMaking] = useState(false);
  const may = hasProjectPermission(me, "tensorboards.create");
  const permitted = usePermitted("use_tensorboards");
  if (me && !permitted)
    return (
      <Page name="analysis" title={say("hub.page.analysis")}>
        <EmptyState title={say("hub.permission.lacking")}>
          <p>{say("hub.permission.lackingWhat")}</p>
        </EmptyState>
      </Page>
    );
  return (
    <Page
      name="analysis"
      title={say("hub.page.analysis")}
      whole
      actions={
        <>
          <LimitMeter />
          {may && (
            <Button variant="primary" icon="plus" data-testid="new" onClick={() => setMaking(true)}>
              {say("hub.new.title")}
            </Button>
          )}
        </>
      }
    >
      <Toolbar kind={kind} />
      {kind === "tensorboard" ? (
        <Boards query={query} mayMake={may} onNew={() => setMaking(true)} />
      ) : (
        <NotAvailableYet kind={kind} />
      )}
      {making && <NewTensorboard onClose={() => setMaking(false)} />}
    </Page>
  );
}

interface BoardsProps {
  query: URLSearchParams;
  mayMake: boolean;
  onNew(): void;
}

function Boards({ query, mayMake, onNew }: BoardsProps) {
  const say = useWords();
  const hasProject = useHasProject();
  const request = requestOf(query, Date.now() / 1000);
  const list = useTensorboards(request);
  const boards = list.data?.pages.flatMap((page) => page.items) ?? [];
  const filtered = FILTERS.some((name) => query.get(name));
  if (list.isError && !list.data)
    return <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />;
  if (list.data && boards.length === 0 && filtered)
    return (
      <EmptyState title={say("hub.list.noMatch")}>
        <p>
          <bdi>{FILTERS.flatMap((name) => query.get(name) ?? []).join(" · ")}</bdi>
        </p>
        <Button onClick={() => putQuery(Object.fromEntries(FILTERS.map((name) => [name, ""])))}>
          {say("hub.list.clear")}
        </Button>
      </EmptyState>
    );
  if (list.data && boards.length === 0 && !hasProject) return <NoProject />;
  if (list.data && boards.length === 0)
    return (
      <EmptyState title={say("hub.list.none")}>
        <p>{say("hub.list.noneWhat")}</p>
        {mayMake && (
          <Button variant="primary" icon="plus" onClick={onNew}>
            {say("hub.new.title")}
          </Button>
        )}
      </EmptyState>
    );
  return (
    <BoardList
      boards={boards}
      total={list.data?.pages[0]?.total ?? 0}
      busy={list.isPending}
      onMore={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
    />
  );
}

/** A kind of job that the hub does not support yet. */
function NotAvailableYet({ kind }: { kind: string }) {
  const say = useWords();
  return (
    <EmptyState title={say(kind === "jobs" ? "hub.later.jobs" : "hub.later.notebooks")}>
      <p>{say("hub.later.what")}</p>
    </EmptyState>
  );
}

const KINDS = ["tensorboard", "jobs", "notebooks"] as const;
const STATUSES = ["running", "starting", "stopped", "failed"] as const;
const ORIGINS = ["ui", "sdk", "cli", "notebook", "job", "path"] as const;
const CREATED = ["day", "week", "month"] as const;

function Toolbar({ kind }: { kind: string }) {
  const say = useWords();
  const projects = useProjects().data?.items ?? [];
  return (
    <QueryBar>
      <Segmented
        label={say("hub.list.kind")}
        value={KINDS.find((each) => each === kind) ?? "tensorboard"}
        options={KINDS.map((each) => ({ value: each, label: say(`hub.kinds.${each}`) }))}
        onChange={(each) => putQuery({ kind: each === "tensorboard" ? "" : each })}
      />
      {kind === "tensorboard" && (
        <>
          <QueryText name="search" label={say("hub.list.search")} />
          <QueryChoice
            name="status"
            label={say("hub.field.status")}
            options={STATUSES.map((value) => ({ value, label: say(`hub.statuses.${value}`) }))}
          />
          <QueryChoice
            name="origin"
            label={say("hub.field.origin")}
            options={ORIGINS.map((value) => ({ value, label: say(`hub.origin.${value}`) }))}
          />
          <QueryChoice
            name="owner"
            label={say("hub.field.owner")}
            options={[{ value: "me", label: say("hub.list.mine") }]}
          />
          {projects.length > 1 && (
            <QueryChoice
              name="project"
              label={say("hub.field.project")}
              options={projects.map((each) => ({ value: each.id, label: each.display_name || each.name }))}
            />
          )}
          <QueryChoice
            name="created"
            label={say("hub.field.created")}
            options={CREATED.map((value) => ({ value, label: say(`hub.created.${value}`) }))}
          />
        </>
      )}
    </QueryBar>
  );
}

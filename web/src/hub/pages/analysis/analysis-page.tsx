/** Job Analysis: every TensorBoard one may see, whoever and whatever made it, in one list. */

import { useState } from "react";
import { Button } from "../../../widgets/button";
import { useWords } from "../../../words/words";
import { LimitMeter } from "../../parts/limit-meter";
import { NewTensorboard } from "../../parts/new-tensorboard";
import { NoProject, useHasProject } from "../../parts/no-project";
import { Fault, Nothing, Page } from "../../parts/page";
import { mayInProject, useMe } from "../../state/me";
import { usePermitted } from "../../state/permissions";
import { putQuery, useQuery } from "../../state/route";
import { useTensorboards } from "../../state/tensorboards";
import { BoardList } from "./board-list";
import { FILTERS, questionOf } from "./filters";
import { Later } from "./later";
import { Toolbar } from "./toolbar";

export function AnalysisPage() {
  const say = useWords();
  const me = useMe().data;
  const query = useQuery();
  const kind = query.get("kind") ?? "tensorboard";
  const [making, setMaking] = useState(false);
  const may = mayInProject(me, "tensorboards.create");
  const permitted = usePermitted("use_tensorboards");
  if (me && !permitted)
    return (
      <Page name="analysis" title={say("hub.page.analysis")}>
        <Nothing title={say("hub.permission.lacking")}>
          <p>{say("hub.permission.lackingWhat")}</p>
        </Nothing>
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
            <Button look="primary" icon="plus" data-testid="new" onClick={() => setMaking(true)}>
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
        <Later kind={kind} />
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
  const question = questionOf(query, Date.now() / 1000);
  const list = useTensorboards(question);
  const boards = list.data?.pages.flatMap((page) => page.items) ?? [];
  const filtered = FILTERS.some((name) => query.get(name));
  if (list.isError && !list.data) return <Fault fault={list.error} onRetry={() => void list.refetch()} />;
  if (list.data && boards.length === 0 && filtered)
    return (
      <Nothing title={say("hub.list.noMatch")}>
        <p>
          <bdi>{FILTERS.flatMap((name) => query.get(name) ?? []).join(" · ")}</bdi>
        </p>
        <Button onClick={() => putQuery(Object.fromEntries(FILTERS.map((name) => [name, ""])))}>
          {say("hub.list.clear")}
        </Button>
      </Nothing>
    );
  if (list.data && boards.length === 0 && !hasProject) return <NoProject />;
  if (list.data && boards.length === 0)
    return (
      <Nothing title={say("hub.list.none")}>
        <p>{say("hub.list.noneWhat")}</p>
        {mayMake && (
          <Button look="primary" icon="plus" onClick={onNew}>
            {say("hub.new.title")}
          </Button>
        )}
      </Nothing>
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

/** The projector: the points, or why there are none. */

import { Projector } from "../../panels/projector/projector";
import { useTensors } from "../../panels/projector/tensors";
import { useStatus } from "../../state/lists";
import { usePageReady } from "../../state/use-page-ready";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import { NoData } from "../kind/no-data";
import style from "./projector-page.module.css";

export default function ProjectorPage() {
  const say = useWords();
  const { data, error, refetch } = useTensors();
  const loading = useStatus().data?.loading ?? true;
  const failed = error !== null && data === undefined;
  usePageReady(failed);
  if (data && data.tensors.length === 0 && !loading) return <NoData page="projector" />;
  return (
    <main className={style.page} data-page="projector" id="cards" tabIndex={-1} aria-busy={!data && !failed}>
      {failed && (
        <div className={style.failed} role="alert">
          <p>{error.message}</p>
          <Button icon="reload" onClick={() => void refetch()}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {data && <Projector list={data} />}
    </main>
  );
}

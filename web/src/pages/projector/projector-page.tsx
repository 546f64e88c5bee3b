/** The page of embeddings: the points, or why there are none. */

import { useEffect } from "react";
import { fileName, saveFile } from "../../base/save";
import { Projector } from "../../panels/projector/projector";
import { type Save, SaveContext } from "../../panels/projector/saving";
import { useTensors } from "../../panels/projector/tensors";
import { useStatus } from "../../state/lists";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import { NoData } from "../kind/no-data";
import style from "./projector-page.module.css";

const save: Save = (content, name, ending, type) => saveFile(content, fileName(name) + ending, type);

export default function ProjectorPage() {
  const say = useWords();
  const { data, error, refetch } = useTensors();
  const loading = useStatus().data?.loading ?? true;
  const failed = error !== null && data === undefined;
  useEffect(() => {
    if (failed) document.documentElement.dataset.ready = "true";
  }, [failed]);
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
      {data && (
        <SaveContext value={save}>
          <Projector list={data} />
        </SaveContext>
      )}
    </main>
  );
}

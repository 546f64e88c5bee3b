import { useEffect } from "react";
import { ApiError } from "../../api/client";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { queries } from "../data/lists";
import style from "../pages/empty/empty.module.css";

/** Shown if the server never answered, so that nothing can be shown. */
export function Unreachable({ error }: { error: Error }) {
  const say = useWords();
  useEffect(() => {
    document.documentElement.dataset.ready = "true";
  }, []);
  return (
    <main className={style.page}>
      <div className={style.box} role="alert">
        <h2 className={style.title}>{say("unreachable.title")}</h2>
        <p>{error.message}</p>
        {error instanceof ApiError && error.hint !== "" && <p>{error.hint}</p>}
        <div>
          <Button variant="primary" onClick={() => void queries.refetchQueries()}>
            {say("action.retry")}
          </Button>
        </div>
      </div>
    </main>
  );
}

/** The page for an address without a page: an unknown kind of data, or a typing error. */

import { useEffect } from "react";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { kindPage, tagsOf } from "../../data/kinds";
import { useKinds } from "../../data/lists";
import { commit } from "../../view/view";
import { DEFAULT_PAGE } from "../../view/view-state";
import style from "../empty/empty.module.css";

export function Missing({ page }: { page: string }) {
  const say = useWords();
  const known = kindPage(page);
  const counts = useKinds(true).data?.plugins ?? {};
  const tags = known ? tagsOf(known, counts) : 0;
  const word = known?.word;
  const kind = word ? say(word) : page;
  useEffect(() => {
    document.documentElement.dataset.ready = "true";
  }, []);
  return (
    <main className={style.page}>
      <div className={style.box}>
        <h2 className={style.title}>{say("missing.title")}</h2>
        <p>
          {tags > 0
            ? say("missing.kind", { kind, tags })
            : say(word ? "missing.none" : "missing.unknown", { kind, page })}
        </p>
        <div>
          <Button variant="primary" onClick={() => commit({ page: DEFAULT_PAGE })}>
            {say("missing.back")}
          </Button>
        </div>
      </div>
    </main>
  );
}

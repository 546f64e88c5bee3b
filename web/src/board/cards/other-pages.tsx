/** Where data is, for pages without any: links to the pages that have some. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { KIND_PAGES, OTHER_PAGE, tagsOf } from "../data/kinds";
import { useKinds } from "../data/lists";
import { commit } from "../view/view";
import { DEFAULT_PAGE } from "../view/view-state";
import style from "./no-data.module.css";

/** Nothing while it is not known what the logs have, or if they have nothing. */
export function OtherPages({ page }: { page: string }) {
  const say = useWords();
  const counts = useKinds(true).data?.plugins ?? {};
  const pages = [
    { name: DEFAULT_PAGE, word: "page.timeseries" as const, tags: counts.scalars ?? 0, uncounted: false },
    ...[...KIND_PAGES, OTHER_PAGE].map((info) => ({ ...info, name: info.page, tags: tagsOf(info, counts) })),
  ].filter(({ name, tags }) => tags > 0 && name !== page);
  if (pages.length === 0) return null;
  return (
    <section aria-label={say("nodata.present")} data-testid="other-pages">
      <h3 className={style.present}>{say("nodata.present")}</h3>
      <div className={style.pages}>
        {pages.map(({ name, word, tags, uncounted }, at) => (
          <Button
            key={name}
            variant={at === 0 ? "primary" : "plain"}
            onClick={() => commit({ page: name, subject: "" })}
          >
            {uncounted ? say(word) : `${say(word)} · ${count(tags)}`}
          </Button>
        ))}
      </div>
    </section>
  );
}

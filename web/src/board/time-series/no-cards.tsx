/** Explains why there is no card, with a button that helps. */

import { type ReactNode, Suspense } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";
import { NoneDrawn } from "../cards/none-drawn";
import { useTags } from "../data/lists";
import { mostSimilar } from "../runs/similarity";
import { change, useView } from "../view/view";
import { DEFAULT_PAGE } from "../view/view-state";
import style from "./no-cards.module.css";

const MissingData = lazyPart(() => import("../cards/no-data"));

interface NothingProps {
  /** Number of tags that pass the filter; their runs may all be hidden. */
  matching: number;
  filter: string;
}

export function NoCards({ matching, filter }: NothingProps) {
  const tags = useTags();
  const chosen = useView((view) => view.cardKinds.length > 0);
  if (matching === 0 && filter === "" && chosen) return <NoneOfKinds />;
  if (tags.length === 0) {
    return (
      <Box>
        <Suspense>
          <MissingData page={DEFAULT_PAGE} />
        </Suspense>
      </Box>
    );
  }
  if (matching === 0) return <NoMatch filter={filter} />;
  return (
    <Box>
      <NoneDrawn />
    </Box>
  );
}

function Box({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={style.box}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}

function NoMatch({ filter }: { filter: string }) {
  const say = useWords();
  const near = mostSimilar(
    filter,
    useTags().map((tag) => tag.tag),
    3,
  );
  return (
    <Box title={say("nothing.noMatch")}>
      <p>
        {say("nothing.filter")} <span className={style.filter}>{filter}</span>
      </p>
      {near.length > 0 && <p>{say("nothing.near")}</p>}
      <div className={style.names}>
        {near.map((tag) => (
          <Button key={tag} onClick={() => change({ tagFilter: tag })}>
            <bdi>{tag}</bdi>
          </Button>
        ))}
        <Button variant="primary" onClick={() => change({ tagFilter: "" })}>
          {say("filter.clear")}
        </Button>
      </div>
    </Box>
  );
}

/** The logs have none of the chosen kinds. */
function NoneOfKinds() {
  const say = useWords();
  return (
    <Box title={say("nothing.kinds")}>
      <Button variant="primary" onClick={() => change({ cardKinds: [] })}>
        {say("bar.kindsAll")}
      </Button>
    </Box>
  );
}

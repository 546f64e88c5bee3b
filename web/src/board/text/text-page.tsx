/** Texts of all runs at one step side by side, with differences, and a search. */

import { useMemo } from "react";
import type { TextHit } from "../../api/text";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { KindPage } from "../cards/kind-page";
import { useKindSteps, useKindStyles } from "../cards/kind-steps";
import { PageStep } from "../cards/page-step";
import type { LineStyle } from "../runs/line-styles";
import { jumpTo } from "../view/jump";
import { setStep } from "../view/steps";
import { change, commit, useView } from "../view/view";
import type { TextMode } from "../view/view-state";
import { useSearch } from "./search";
import { SearchResults } from "./search-results";
import { TextCard } from "./text-card";
import style from "./text-page.module.css";

const PAGE = "text";
const CARD_PX = 220;

export default function TextPage() {
  const lineStyles = useKindStyles(PAGE);
  const steps = useKindSteps(PAGE, lineStyles);
  const search = useView((view) => view.textSearch);
  const found = useSearch(
    search,
    useMemo(() => [...lineStyles.keys()], [lineStyles]),
  );
  const results = found && (
    <SearchResults
      found={found}
      lineStyles={lineStyles}
      onGo={goToHit}
      onClose={() => change({ textSearch: "" })}
    />
  );
  return (
    <KindPage
      kind={PAGE}
      height={CARD_PX}
      tools={<Tools steps={steps} lineStyles={lineStyles} />}
      under={results}
    >
      {({ tag, runs }) => <TextCard tag={tag} runs={runs} />}
    </KindPage>
  );
}

function Tools({
  steps,
  lineStyles,
}: {
  steps: readonly number[];
  lineStyles: ReadonlyMap<number, LineStyle>;
}) {
  const say = useWords();
  const mode = useView((view) => view.textMode);
  const against = useView((view) => view.textAgainst);
  const all = useView((view) => view.textSteps);
  const search = useView((view) => view.textSearch);
  const modes: { value: TextMode; label: string }[] = [
    { value: "markdown", label: MARKDOWN },
    { value: "raw", label: say("text.raw") },
    { value: "diff", label: say("text.diff") },
  ];
  const others = [...lineStyles.values()].map(({ name, label }) => ({ value: name, label }));
  // A run that is not visible any more is still the one that was chosen.
  if (against !== "" && !others.some(({ value }) => value === against))
    others.push({ value: against, label: against });
  return (
    <>
      <PageStep steps={steps} />
      <Segmented
        label={say("text.form")}
        value={mode}
        options={modes}
        onChange={(textMode) => commit({ textMode })}
      />
      {mode === "diff" && (
        <Select
          label={say("text.against")}
          value={against}
          options={[{ value: "", label: say("text.previous") }, ...others]}
          onChange={(textAgainst) => commit({ textAgainst })}
        />
      )}
      <Button aria-pressed={all} onClick={() => commit({ textSteps: !all })}>
        {say("text.allSteps")}
      </Button>
      <Field
        className={style.search}
        label={say("text.search")}
        clearLabel={say("action.clear")}
        value={search}
        onChange={(textSearch) => change({ textSearch })}
      />
    </>
  );
}

/** A name, the same in every language. */
const MARKDOWN = "Markdown";

/** Opens a search result: clears a filter that excludes it, selects its step and scrolls to its card. */
function goToHit({ tag, step }: TextHit): void {
  if (useView.getState().tagFilter !== "") change({ tagFilter: "" });
  setStep(step);
  // The filter takes effect with the next render.
  setTimeout(() => jumpTo(tag), 0);
}

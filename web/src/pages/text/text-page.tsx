/** Texts of all runs: a step of each beside each other, what changed, and a search over all of them. */

import { useMemo } from "react";
import type { TextHit } from "../../api/text";
import { useSearch } from "../../panels/text/search";
import { SearchResults } from "../../panels/text/search-results";
import { TextCard } from "../../panels/text/text-card";
import { jumpTo } from "../../state/jump";
import { useKindLooks, useKindSteps } from "../../state/kindsteps";
import type { RunLook } from "../../state/looks";
import { setStep } from "../../state/steps";
import { change, commit, useView } from "../../state/view";
import type { TextMode } from "../../state/viewstate";
import { Button } from "../../widgets/button";
import { Field } from "../../widgets/field";
import { Segmented } from "../../widgets/segmented";
import { Select } from "../../widgets/select";
import { useWords } from "../../words/words";
import { KindPage } from "../kind/kind-page";
import { PageStep } from "../kind/page-step";
import style from "./text-page.module.css";

const PAGE = "text";
const CARD_PX = 220;

export default function TextPage() {
  const looks = useKindLooks(PAGE);
  const steps = useKindSteps(PAGE, looks);
  const search = useView((view) => view.textSearch);
  const found = useSearch(
    search,
    useMemo(() => [...looks.keys()], [looks]),
  );
  const results = found && (
    <SearchResults found={found} looks={looks} onGo={goTo} onClose={() => change({ textSearch: "" })} />
  );
  return (
    <KindPage kind={PAGE} height={CARD_PX} tools={<Tools steps={steps} looks={looks} />} under={results}>
      {({ tag, runs }) => <TextCard tag={tag} runs={runs} />}
    </KindPage>
  );
}

function Tools({ steps, looks }: { steps: readonly number[]; looks: ReadonlyMap<number, RunLook> }) {
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
  const others = [...looks.values()].map(({ name, label }) => ({ value: name, label }));
  // A run that is not on show any more is still what was asked for.
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

/** To the text that was found: past a filter that leaves it out, to its step and its card. */
function goTo({ tag, step }: TextHit): void {
  if (useView.getState().tagFilter !== "") change({ tagFilter: "" });
  setStep(step);
  // The filter lets it through at the next drawing.
  setTimeout(() => jumpTo(tag), 0);
}

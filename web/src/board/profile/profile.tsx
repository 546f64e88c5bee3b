/** One capture: its bar, and one of the views of it. */

import { ApiError } from "../../api/client";
import { useWords } from "../../i18n/words";
import { usePageReady } from "../../lib/use-page-ready";
import { Button } from "../../ui/button";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { captureName, hasSlices, type RunCapture } from "../data/captures";
import type { ProfilePart } from "../view/profile-view";
import { OF_CAPTURE, PROFILE_VIEWS } from "../view/profile-view";
import { useView } from "../view/view";
import { Compare } from "./compare";
import { MemoryPart } from "./memory";
import { Operators } from "./operators";
import { OverviewPart } from "./overview";
import style from "./profile.module.css";
import { showProfile, useOverview } from "./profiles";
import { TimeLinePart } from "./time-line";
import { TimeLineSoFar } from "./time-line-so-far";

/** What there is of a capture that says what is in memory, and nothing of time. */
const MEMORY_ONLY: readonly ProfilePart[] = ["memory"];

interface ProfileProps {
  captures: readonly RunCapture[];
  chosen: RunCapture;
}

export function Profile({ captures, chosen }: ProfileProps) {
  const say = useWords();
  const { view, capture: wanted } = useView((state) => state.profile);
  const name = captureName(chosen);
  const isTimed = hasSlices(chosen);
  const part = isTimed ? view : "memory";
  const { data, error, refetch } = useOverview(name, part !== "memory");
  usePageReady(part === "memory" || data !== undefined || error !== null);
  return (
    <div
      className={style.layout}
      data-testid="profile"
      data-state={data || part === "memory" ? "ready" : "reading"}
    >
      <div className={style.bar} role="toolbar" aria-label={say("profile.bar")}>
        <div className={style.capture}>
          <Select
            label={say("profile.capture")}
            value={chosen.name}
            options={captures.map((each) => ({ value: each.name, label: labelOf(each) }))}
            onChange={(capture) => showProfile({ capture, ...OF_CAPTURE })}
          />
        </div>
        <Segmented<ProfilePart>
          label={say("profile.view")}
          value={part}
          options={(isTimed ? PROFILE_VIEWS : MEMORY_ONLY).map((value) => ({
            value,
            label: say(`profile.view.${value}`),
          }))}
          onChange={(chosenView) => showProfile({ view: chosenView })}
        />
      </div>
      {wanted !== "" && wanted !== chosen.name && (
        <p className={style.note} role="status">
          {say("profile.otherCapture", { name: wanted })}
        </p>
      )}
      {part === "memory" ? (
        <MemoryPart name={name} />
      ) : error ? (
        <div className={style.failed} role="alert">
          <p>{error.message}</p>
          {error instanceof ApiError && error.hint !== "" && <p className={style.hint}>{error.hint}</p>}
          <Button icon="reload" onClick={() => void refetch()}>
            {say("action.retry")}
          </Button>
        </div>
      ) : !data ? (
        <TimeLineSoFar name={name} />
      ) : part === "operators" ? (
        <Operators name={name} />
      ) : part === "compare" ? (
        <Compare captures={captures.filter(hasSlices)} chosen={chosen} labelOf={labelOf} />
      ) : part === "timeline" ? (
        <TimeLinePart name={name} run={chosen.runName} overview={data} />
      ) : (
        <OverviewPart name={name} run={chosen.runName} overview={data} />
      )}
    </div>
  );
}

/** The name of a capture, with that of its run if it does not begin with it. */
function labelOf({ name, runName }: RunCapture): string {
  const isNamed = runName === "" || name === runName || name.startsWith(`${runName}/`);
  return isNamed ? name : `${runName} · ${name}`;
}

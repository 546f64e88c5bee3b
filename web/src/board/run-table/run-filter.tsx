/** The run filter: names, regular expressions, terms. Shows errors of the query. */

import { useWords } from "../../i18n/words";
import { Field } from "../../ui/field";
import type { QueryError } from "../runs/query";
import { change, useView } from "../view/view";

export const RUN_FILTER_ID = "run-filter";

const REASONS = {
  column: "query.noColumn",
  value: "query.noValue",
  number: "query.noNumber",
  brackets: "query.noBrackets",
} as const;

export function RunFilter({
  fault,
  className,
}: {
  fault: QueryError | null;
  className?: string | undefined;
}) {
  const say = useWords();
  const filter = useView((view) => view.runFilter);
  return (
    <Field
      id={RUN_FILTER_ID}
      className={className}
      label={say("runs.filter")}
      placeholder={say("runs.filterHint")}
      clearLabel={say("action.clear")}
      hotkey="/"
      value={filter}
      onChange={(text) => change({ runFilter: text })}
      fault={faultText()}
    />
  );

  function faultText(): string | null {
    if (fault === null) return null;
    if (fault.reason === "regex") return say("filter.bad", { why: fault.message });
    return say(REASONS[fault.reason], { about: fault.about });
  }
}

/** The tag filter, the same on every page with tags. */

import { useWords } from "../../i18n/words";
import { Field } from "../../ui/field";
import { change, useView } from "../view/view";

/** The same id on every page, so that its hotkey works everywhere. */
export const TAG_FILTER_ID = "tag-filter";

/** `fault`: why the filter is not valid. */
export function TagFilter({ fault, className }: { fault: string | null; className?: string | undefined }) {
  const say = useWords();
  const filter = useView((view) => view.tagFilter);
  return (
    <Field
      id={TAG_FILTER_ID}
      className={className}
      label={say("bar.filter")}
      clearLabel={say("action.clear")}
      hotkey="t"
      value={filter}
      onChange={(text) => change({ tagFilter: text })}
      fault={fault === null ? null : say("filter.bad", { why: fault })}
    />
  );
}

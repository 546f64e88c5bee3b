/** From a slice to the node of the run's graph that is called as it is. Shown only if there is one. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { showGraphPlace, useNodeOf } from "../data/graphs";
import { type CaptureName, type SliceDetails, useOperators } from "./profiles";

/** Operators of the same name, in different scopes. */
const MOST_SCOPES = 100;

interface NodeLinkProps {
  name: CaptureName;
  /** The name of the run of the capture; empty if it has none. */
  run: string;
  slice: SliceDetails;
}

export function NodeLink({ name, run, slice }: NodeLinkProps) {
  const say = useWords();
  const order = { search: slice.name, sort: "self_us", descending: true, limit: MOST_SCOPES } as const;
  const rows = useOperators(name, order, run !== "").data?.operators ?? [];
  const scopes = new Set(rows.filter((row) => row.name === slice.name).map(({ scope }) => scope));
  // Which of several scopes it is in is not known.
  const [scope = ""] = scopes.size === 1 ? scopes : [];
  const found = useNodeOf(run, { name: slice.name, scope });
  if (found === null) return null;
  return (
    <Button size="small" title={found.path} onClick={() => showGraphPlace(found)}>
      {say("profile.inGraph")}
    </Button>
  );
}

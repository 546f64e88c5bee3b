/** From a node or scope to the operators of the run's newest capture that are called as it is, and their slices. Shown only if there are any. */

import { useQuery } from "@tanstack/react-query";
import { type CaptureName, fetchFound, fetchOperators } from "../../api/profiles";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { isOperatorOf, nodeNames, type OperatorNames, ownName } from "../../lib/scope-names";
import { Button } from "../../ui/button";
import { captureName, hasSlices, useCaptures, windowAround } from "../data/captures";
import { DEFAULT_PROFILE, OF_CAPTURE, type ProfileView } from "../view/profile-view";
import { commit, useView } from "../view/view";
import side from "./side.module.css";

/** Operators with the last name of the path, of which those of the node are taken. */
const MOST_OPERATORS = 500;

interface RelatedSlicesProps {
  /** The name of the run of the graph. */
  run: string;
  path: string;
}

export function RelatedSlices({ run, path }: RelatedSlicesProps) {
  const say = useWords();
  const { captures = [] } = useCaptures();
  const newest = captures
    .filter((each) => each.runName === run && hasSlices(each))
    .sort((a, b) => b.wall - a.wall)[0];
  const search = ownName(path);
  const { data } = useQuery({
    queryKey: ["profiles", "node", newest && captureName(newest), search],
    queryFn: ({ signal }) =>
      fetchOperators(
        captureName(newest!),
        { search, sort: "self_us", descending: true, limit: MOST_OPERATORS },
        signal,
      ),
    enabled: newest !== undefined && search !== "",
    retry: false,
  });
  const found = (data?.operators ?? []).filter((row) => isOperatorOf(path, row));
  if (!newest || found.length === 0) return null;
  const time = found.reduce((sum, row) => sum + row.self_us, 0);
  const show = async () => {
    const only = found.length === 1 ? await firstSlice(captureName(newest), found[0]!) : null;
    const { profile } = useView.getState();
    const shown = only ?? ({ view: "operators", form: DEFAULT_PROFILE.form, search } as const);
    commit({
      page: "profile",
      subject: "",
      profile: { ...profile, ...OF_CAPTURE, capture: newest.name, ...shown },
    });
  };
  return (
    <section className={side.part} aria-label={say("graphs.inProfile")} data-testid="graph-slices">
      <h3 className={side.sub}>{say("graphs.inProfile")}</h3>
      <div className={side.actions}>
        <Button size="small" onClick={() => void show()}>
          {say("graphs.slices", {
            count: found.reduce((sum, row) => sum + row.count, 0),
            time: formatMicroseconds(time),
          })}
        </Button>
      </div>
    </section>
  );
}

/** The time line at the first slice of an operator; null if its name finds none. Names of slices may have scopes in them. */
async function firstSlice(
  capture: CaptureName,
  operator: OperatorNames,
): Promise<Partial<ProfileView> | null> {
  for (const text of [nodeNames(operator)[0]!, operator.name]) {
    const slice = await fetchFound(capture, { search: text, begin_us: 0, backward: false });
    if (slice === null) continue;
    const window = windowAround([slice.start_us, slice.start_us + slice.duration_us]);
    return { view: "timeline", find: text, slice: { host: slice.host, slice: slice.slice }, window };
  }
  return null;
}

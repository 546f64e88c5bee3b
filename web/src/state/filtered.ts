/** The runs that the filter of the run table leaves. One answer for the table, the charts, the keys and the Runs page. */

import { remember } from "../base/remember";
import { type MetricValues, NO_METRICS } from "./column";
import { useColumns, useWanted } from "./columns";
import { type RunFacts, useListed } from "./facts";
import { type TagInfo, useStatus, useTagList, useTags } from "./lists";
import { ALL_RUNS, type Known, parseQuery, type Query, QueryFault } from "./query";
import { useView } from "./view";

export interface Filtered {
  rows: readonly RunFacts[];
  query: Query;
  /** Why the text in the box makes no sense; the last query that did stays in force. */
  fault: QueryFault | null;
}

const configKeys = remember((runs: readonly RunFacts[]): ReadonlySet<string> => {
  const keys = new Set<string>();
  for (const { config } of runs) for (const key of Object.keys(config)) keys.add(key);
  return keys;
});

const tagNames = remember(
  (tags: readonly TagInfo[]): ReadonlySet<string> => new Set(tags.map(({ tag }) => tag)),
);

const known = remember((config: ReadonlySet<string>, tags: ReadonlySet<string>): Known => ({ config, tags }));

/** Every hyper-parameter and tag there is: the words a query may use. */
export function useKnown(): Known {
  return known(configKeys(useListed()), tagNames(useTags()));
}

let good: Query = ALL_RUNS;

interface Parsed {
  query: Query;
  fault: QueryFault | null;
}

const parse = remember((text: string, names: Known): Parsed => {
  try {
    return { query: parseQuery(text, names), fault: null };
  } catch (fault) {
    return { query: good, fault: fault instanceof QueryFault ? fault : null };
  }
});

const filter = remember((runs: readonly RunFacts[], query: Query, metrics: MetricValues) =>
  query === ALL_RUNS ? runs : runs.filter((facts) => query.matches(facts, metrics)),
);

let latest: readonly RunFacts[] = [];

/** The runs the filter left when the table was drawn last, for keys. */
export function filteredNow(): readonly RunFacts[] {
  return latest;
}

export function useFiltered(): Filtered {
  const runs = useListed();
  const { query, fault } = parse(
    useView((view) => view.runFilter),
    useKnown(),
  );
  const metrics = useWanted(query.metrics);
  const failed = useColumns((state) => state.failed);
  // Until the values it compares are here, the last query stays in force: a list that empties and fills is no answer.
  const ready = query.metrics.every(({ id }) => metrics.has(id) || failed.has(id));
  if (ready) good = query;
  latest = filter(runs, good, good.metrics.length > 0 ? metrics : NO_METRICS);
  // What is not read yet cannot be told from what is not there.
  const tags = useTagList();
  const loading = useStatus().data?.loading ?? true;
  const settled = tags.isSuccess && !loading;
  return { rows: latest, query: good, fault: settled ? fault : null };
}

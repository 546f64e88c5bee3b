/** Searches all texts in several requests; matches are shown as they arrive. */

import { useEffect, useState } from "react";
import { isAbort } from "../../api/client";
import { searchTexts, type TextHit, type TextMark, type TextSearchResponse } from "../../api/text";

/** Matches shown before more are requested. */
export const FIRST_HITS = 100;

/** Debounce time before the request. */
const REST_MS = 250;

export interface SearchState {
  hits: readonly TextHit[];
  searched: number;
  total: number;
  /** The search is running. */
  busy: boolean;
  givenUp: boolean;
  error: Error | null;
  /** There may be more matches, which were not requested yet. */
  more: boolean;
  goOn(): void;
}

interface Progress {
  hits: readonly TextHit[];
  searched: number;
  total: number;
  givenUp: boolean;
  last: TextMark | null;
  done: boolean;
  error: Error | null;
}

const START: Progress = {
  hits: [],
  searched: 0,
  total: 0,
  givenUp: false,
  last: null,
  done: false,
  error: null,
};

/** Parses a search box: `/an expression/`, or a word. */
export function readSearch(text: string): { pattern: string; regex: boolean } | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const regex = trimmed.length > 2 && trimmed.startsWith("/") && trimmed.endsWith("/");
  return { pattern: regex ? trimmed.slice(1, -1) : trimmed, regex };
}

export function mergeResults(before: Progress, found: TextSearchResponse): Progress {
  return {
    hits: [...before.hits, ...found.hits],
    searched: found.searched,
    total: found.total,
    givenUp: before.givenUp || found.pattern_given_up,
    last: found.last,
    done: found.last === null,
    error: null,
  };
}

/** Null without a search. `runs` are the ids of visible runs. */
export function useSearch(text: string, runs: readonly number[]): SearchState | null {
  const search = readSearch(text);
  const request = search === null ? "" : JSON.stringify([search, runs]);
  const [state, setState] = useState<{ request: string; progress: Progress; most: number }>({
    request: "",
    progress: START,
    most: FIRST_HITS,
  });
  const current = state.request === request ? state : { request, progress: START, most: FIRST_HITS };
  const { progress, most } = current;
  const going = request !== "" && !progress.done && progress.error === null && progress.hits.length < most;
  useEffect(() => {
    if (!going) return;
    const [{ pattern, regex }, ids] = JSON.parse(request) as [{ pattern: string; regex: boolean }, number[]];
    const stop = new AbortController();
    const ask = () =>
      searchTexts({ pattern, regex, tags: null, runs: ids, after: progress.last }, stop.signal).then(
        (found) => setState({ request, most, progress: mergeResults(progress, found) }),
        (error: Error) => {
          if (!isAbort(error)) setState({ request, most, progress: { ...progress, error } });
        },
      );
    const timer = setTimeout(ask, progress.last === null ? REST_MS : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [going, request, progress, most]);
  if (search === null) return null;
  const { hits, searched, total, givenUp, error, done } = progress;
  return {
    hits,
    searched,
    total,
    givenUp,
    error,
    busy: going,
    more: !going && !done && error === null,
    goOn: () => setState({ ...current, most: hits.length + FIRST_HITS }),
  };
}

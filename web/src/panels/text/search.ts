/** Searching all texts: asked a stretch at a time until the end, what is found shown at once. */

import { useEffect, useState } from "react";
import { isAbort } from "../../api/client";
import { searchTexts, type TextFound, type TextHit, type TextMark } from "../../api/text";

/** Hits shown before somebody asks for more. */
export const FIRST_HITS = 100;

/** Typing rests this long before the server is asked. */
const REST_MS = 250;

export interface Found {
  hits: readonly TextHit[];
  searched: number;
  total: number;
  /** Still at it. */
  busy: boolean;
  givenUp: boolean;
  error: Error | null;
  /** More may be found, and nobody has asked for it yet. */
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

/** What a search box means: `/an expression/`, or a word. */
export function readSearch(text: string): { pattern: string; regex: boolean } | null {
  const asked = text.trim();
  if (asked === "") return null;
  const regex = asked.length > 2 && asked.startsWith("/") && asked.endsWith("/");
  return { pattern: regex ? asked.slice(1, -1) : asked, regex };
}

export function joinedFound(before: Progress, found: TextFound): Progress {
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

/** Null while nothing is looked for. `runs` are the ids of those on show. */
export function useSearch(text: string, runs: readonly number[]): Found | null {
  const asked = readSearch(text);
  const question = asked === null ? "" : JSON.stringify([asked, runs]);
  const [state, setState] = useState<{ question: string; progress: Progress; most: number }>({
    question: "",
    progress: START,
    most: FIRST_HITS,
  });
  const current = state.question === question ? state : { question, progress: START, most: FIRST_HITS };
  const { progress, most } = current;
  const going = question !== "" && !progress.done && progress.error === null && progress.hits.length < most;
  useEffect(() => {
    if (!going) return;
    const [{ pattern, regex }, ids] = JSON.parse(question) as [{ pattern: string; regex: boolean }, number[]];
    const stop = new AbortController();
    const ask = () =>
      searchTexts({ pattern, regex, tags: null, runs: ids, after: progress.last }, stop.signal).then(
        (found) => setState({ question, most, progress: joinedFound(progress, found) }),
        (error: Error) => {
          if (!isAbort(error)) setState({ question, most, progress: { ...progress, error } });
        },
      );
    const timer = setTimeout(ask, progress.last === null ? REST_MS : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [going, question, progress, most]);
  if (asked === null) return null;
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

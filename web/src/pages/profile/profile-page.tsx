/** Captures of profilers: one of them, or why there is none. */

import { Profile } from "../../panels/profile/profile";
import { useKinds, useStatus } from "../../state/lists";
import { useCaptures, useChosenCapture } from "../../state/profiles";
import { usePageReady } from "../../state/use-page-ready";
import { useWords } from "../../words/words";
import { NoData } from "../kind/no-data";
import { PicturePage } from "../kind/picture-page";

const NONE: readonly never[] = [];

/** What TensorFlow's `trace_export` writes; without a folder, it has no profile. */
const TRACE = "graph_run_metadata";

export default function ProfilePage() {
  const say = useWords();
  const { captures, error, retry } = useCaptures();
  const loading = useStatus().data?.loading ?? true;
  const chosen = useChosenCapture(captures ?? NONE, loading);
  usePageReady(error !== null);
  const isEmpty = captures?.length === 0 && !loading;
  const traces = useKinds(isEmpty).data?.plugins[TRACE] ?? 0;
  if (isEmpty) return <NoData page="profile" reason={traces > 0 ? say("profile.emptyTrace") : undefined} />;
  return (
    <PicturePage page="profile" problem={error?.message ?? null} onRetry={retry}>
      {captures && chosen ? <Profile key={chosen.name} captures={captures} chosen={chosen} /> : null}
    </PicturePage>
  );
}

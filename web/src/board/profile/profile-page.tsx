/** Captures of profilers: one of them, or why there is none. */

import { useWords } from "../../i18n/words";
import { usePageReady } from "../../lib/use-page-ready";
import { NoData } from "../cards/no-data";
import { PicturePage } from "../cards/picture-page";
import { useCaptures } from "../data/captures";
import { useKinds, useStatus } from "../data/lists";
import { Profile } from "./profile";
import { useChosenCapture } from "./profiles";

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

/** Captures of profilers: one of them, or why there is none. */

import { Profile } from "../../panels/profile/profile";
import { useStatus } from "../../state/lists";
import { useCaptures, useChosenCapture } from "../../state/profiles";
import { usePageReady } from "../../state/use-page-ready";
import { NoData } from "../kind/no-data";
import { PicturePage } from "../kind/picture-page";

const NONE: readonly never[] = [];

export default function ProfilePage() {
  const { captures, error, retry } = useCaptures();
  const loading = useStatus().data?.loading ?? true;
  const chosen = useChosenCapture(captures ?? NONE, loading);
  usePageReady(error !== null);
  if (captures && captures.length === 0 && !loading) return <NoData page="profile" />;
  return (
    <PicturePage page="profile" problem={error?.message ?? null} onRetry={retry}>
      {captures && chosen ? <Profile key={chosen.name} captures={captures} chosen={chosen} /> : null}
    </PicturePage>
  );
}

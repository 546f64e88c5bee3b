/** The dialog for a new job. Its parent is no row of a list, which may disappear while one types. */

import { Suspense } from "react";
import { lazyPart } from "../../widgets/lazy-part";
import { useNewJob } from "../state/new-job";

const NewJob = lazyPart(() => import("./new-job"));

export function NewJobDialog() {
  const { open, like } = useNewJob();
  if (!open) return null;
  return (
    <Suspense>
      <NewJob key={like?.id} like={like} />
    </Suspense>
  );
}

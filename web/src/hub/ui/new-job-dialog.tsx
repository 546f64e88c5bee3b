/** The dialog for a new job, or the clone of a notebook. Its parent is no row of a list, which may disappear while one types. */

import { Suspense } from "react";
import { lazyPart } from "../../ui/lazy-part";
import { isNotebook } from "../data/jobs";
import { closeNewJob, useNewJob } from "../data/new-job";

const NewJob = lazyPart(() => import("./new-job"));
const NewNotebook = lazyPart(() => import("./new-notebook"));

export function NewJobDialog() {
  const { open, like, hasBoard } = useNewJob();
  if (!open) return null;
  return (
    <Suspense>
      {like && isNotebook(like) ? (
        <NewNotebook key={like.id} like={like} hasBoard={hasBoard} onClose={closeNewJob} />
      ) : (
        <NewJob key={like?.id} like={like} hasBoard={hasBoard} />
      )}
    </Suspense>
  );
}

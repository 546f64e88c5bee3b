/** Where a TensorBoard comes from; that of a job or notebook of this hub links to it. */

import { useWords } from "../../i18n/words";
import type { Board } from "../data/tensorboards";
import { Link } from "./link";

/** Other systems have ids of their own. */
const JOB_ID = /^job-[0-9a-z]{26}$/;

export function OriginText({ board }: { board: Pick<Board, "origin" | "origin_id"> }) {
  const say = useWords();
  const origin = say(`hub.origin.${board.origin}`);
  const id = board.origin_id;
  if ((board.origin === "job" || board.origin === "notebook") && JOB_ID.test(id))
    return (
      <Link to={`/jobs/${id}`} title={id}>
        {origin}
      </Link>
    );
  return (
    <>
      {origin}
      {id && <bdi> {id}</bdi>}
    </>
  );
}

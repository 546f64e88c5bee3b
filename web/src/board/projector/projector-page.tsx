/** The projector: the points, or why there are none. */

import { usePageReady } from "../../lib/use-page-ready";
import { NoData } from "../cards/no-data";
import { PicturePage } from "../cards/picture-page";
import { useStatus } from "../data/lists";
import { Projector } from "./projector";
import { useTensors } from "./tensors";

export default function ProjectorPage() {
  const { data, error, refetch } = useTensors();
  const loading = useStatus().data?.loading ?? true;
  const problem = data === undefined ? (error?.message ?? null) : null;
  usePageReady(problem !== null);
  if (data && data.tensors.length === 0 && !loading) return <NoData page="projector" />;
  return (
    <PicturePage page="projector" problem={problem} onRetry={() => void refetch()}>
      {data ? <Projector list={data} /> : null}
    </PicturePage>
  );
}

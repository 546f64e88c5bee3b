/** The projector: the points, or why there are none. */

import { Projector } from "../../panels/projector/projector";
import { useTensors } from "../../panels/projector/tensors";
import { useStatus } from "../../state/lists";
import { usePageReady } from "../../state/use-page-ready";
import { NoData } from "../kind/no-data";
import { PicturePage } from "../kind/picture-page";

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

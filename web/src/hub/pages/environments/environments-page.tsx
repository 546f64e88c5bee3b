/** Images and presets of jobs and notebooks, for administrators. */

import type { ImageResponse, PresetResponse } from "../../../api/hub-schema.gen";
import { bytes, count, dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { useImages } from "../../data/images";
import { usePresets } from "../../data/job-options";
import { memoryText } from "../../data/job-values";
import { useQuery } from "../../data/route";
import { NameCell, TableSection } from "../../ui/list-page";
import { EmptyState, ErrorNotice, Page } from "../../ui/page";
import { ImageStatePill } from "../../ui/status-pill";
import { EnvironmentPage } from "./environment-page";
import style from "./environments.module.css";

export default function EnvironmentsPage() {
  const name = useQuery().get("image");
  return name === null ? <Overview /> : <EnvironmentPage key={name} name={name} />;
}

const NONE = "–";

function Overview() {
  const say = useWords();
  const list = useImages();
  const images = list.data?.images.map((each) => ({ ...each, id: each.name })) ?? [];
  const presets = usePresets().map((each) => ({ ...each, id: each.name }));
  return (
    <Page name="environments" title={say("hub.page.environments")} busy={list.isPending}>
      {list.isError && !list.data && <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && images.length === 0 && (
        <EmptyState title={say("hub.image.none")}>
          <p>{say("hub.image.noneWhat")}</p>
          <code className={style.command}>lightboard hub --image NAME=requirements.txt</code>
        </EmptyState>
      )}
      <Images rows={images} />
      {list.data && presets.length === 0 ? (
        <EmptyState title={say("hub.preset.none")}>
          <p>{say("hub.preset.noneWhat")}</p>
          <code className={style.command}>lightboard hub --preset NAME=cpu:2,memory:4G</code>
        </EmptyState>
      ) : (
        <Presets rows={presets} />
      )}
    </Page>
  );
}

function Images({ rows }: { rows: readonly (ImageResponse & { id: string })[] }) {
  const say = useWords();
  return (
    <TableSection
      title={say("hub.image.title")}
      rows={rows}
      testId="image-row"
      columns={[
        {
          id: "name",
          title: say("hub.field.name"),
          cell: ({ name }) => (
            <NameCell name={name} shown="" to={`/environments?image=${encodeURIComponent(name)}`} />
          ),
        },
        {
          id: "state",
          title: say("hub.field.status"),
          cell: (each) => <ImageStatePill state={each.state} />,
        },
        { id: "python", title: say("hub.image.python"), wide: true, cell: (each) => each.python || NONE },
        {
          id: "packages",
          title: say("hub.image.packages"),
          cell: (each) => (each.packages === null ? NONE : count(each.packages)),
        },
        {
          id: "size",
          title: say("hub.image.size"),
          wide: true,
          cell: (each) => (each.size_bytes === null ? NONE : bytes(each.size_bytes)),
        },
        {
          id: "notebooks",
          title: say("hub.image.notebooks"),
          wide: true,
          cell: (each) =>
            each.state === "ready" ? say(each.notebooks ? "hub.image.yes" : "hub.image.no") : NONE,
        },
        {
          id: "built",
          title: say("hub.image.built"),
          wide: true,
          cell: (each) => (each.built_at === null ? NONE : dateTime(each.built_at)),
        },
      ]}
    />
  );
}

function Presets({ rows }: { rows: readonly (PresetResponse & { id: string })[] }) {
  const say = useWords();
  return (
    <TableSection
      title={say("hub.preset.title")}
      rows={rows}
      testId="preset-row"
      columns={[
        {
          id: "name",
          title: say("hub.field.name"),
          cell: ({ name }) => (
            <>
              <NameCell name={name} shown="" />
              {name === rows[0]!.name && <span className={style.usual}>{say("hub.preset.usual")}</span>}
            </>
          ),
        },
        { id: "cpus", title: say("hub.preset.cpus"), cell: (each) => count(each.cpus) },
        {
          id: "memory",
          title: say("hub.preset.memory"),
          cell: (each) =>
            each.memory_bytes === null ? say("hub.preset.unlimited") : memoryText(each.memory_bytes),
        },
        { id: "gpus", title: say("hub.preset.gpus"), cell: (each) => count(each.gpus) },
      ]}
    />
  );
}

/** Calls from above or from below: a flame graph, and a table of the same that opens call by call. */

import { useEffect, useMemo, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { useView } from "../view/view";
import { type CallRow, CallTable } from "./call-table";
import style from "./call-tree.module.css";
import { FlameGraph } from "./flame-graph";
import { pathsAround } from "./flame-places";
import { FormSwitch, Search } from "./operator-tools";
import { type CallTreeNode, type CaptureName, showSlice, useCallsBelow, useCallTree } from "./profiles";

/** Calls of a flame graph, and those that a row of the table opens to. */
const FLAME = { depth: 100, limit: 1000 };
const BELOW = { depth: 1, limit: 200, least_share: 0 };
/** Narrower boxes are about a pixel. */
const LEAST_SHARE = 0.001;

export function CallTree({ name, direction }: { name: CaptureName; direction: "down" | "up" }) {
  const say = useWords();
  const search = useView((view) => view.profile.search);
  const [opened, open] = useState<readonly string[]>([]);
  const [zoom, zoomTo] = useState<CallTreeNode | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const path = zoom?.path ?? "";
  const share = zoom ? (direction === "down" ? zoom.total_us : zoom.self_us) : 0;
  const whole = useCallTree(name, { direction, search, path: "", ...BELOW });
  const least =
    zoom && whole.data ? (LEAST_SHARE * share) / Math.max(whole.data.whole_us, 1e-3) : LEAST_SHARE;
  const flame = useCallTree(name, { direction, search, path, ...FLAME, least_share: least });
  const paths = useMemo(() => ["", ...opened], [opened]);
  const below = useCallsBelow(name, { direction, search, path: "", ...BELOW }, paths);
  const children = new Map(paths.map((each, at) => [each, below[at]?.data?.nodes]));
  const rows = rowsOf("", children, 1);
  const known = new Map(
    [...(flame.data?.nodes ?? []), ...below.flatMap(({ data }) => data?.nodes ?? [])].map((node) => [
      node.path,
      node,
    ]),
  );
  const around = zoom ? [...pathsAround(path).flatMap((each) => known.get(each) ?? []), zoom] : [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words have other calls
  useEffect(() => zoomTo(null), [search]);
  const toggle = (node: string) =>
    open((before) => (before.includes(node) ? before.filter((each) => each !== node) : [...before, node]));
  const pick = (node: CallTreeNode) => {
    open((before) => [...new Set([...before, ...pathsAround(node.path)])]);
    choose(node.path);
    zoomTo(node.path === path ? (around.at(-2) ?? null) : node);
  };
  const left = whole.data?.calls_left_out ?? 0;
  return (
    <section className={style.page} aria-label={say(`profile.form.${direction}`)} data-testid="call-tree">
      <div className={style.tools}>
        <FormSwitch />
        <Search text={search} fault={whole.error?.message ?? null} hint={say("profile.column.name")} />
        {zoom && (
          <Button size="small" icon="fit" onClick={() => zoomTo(null)}>
            {say("profile.showAll")}
          </Button>
        )}
        <p className={style.note} role="status">
          {whole.data?.nodes.length === 0
            ? say("profile.noCalls")
            : left > 0
              ? say("profile.callsLeftOut", { count: count(left) })
              : say(`profile.formHint.${direction}`)}
        </p>
      </div>
      {flame.data && flame.data.nodes.length + around.length > 0 && (
        <div className={style.picture}>
          <FlameGraph
            nodes={flame.data.nodes}
            around={around}
            whole={flame.data.whole_us}
            direction={direction}
            isSearched={search.trim() !== ""}
            chosen={chosen}
            onChoose={pick}
          />
        </div>
      )}
      <CallTable
        label={say(`profile.form.${direction}`)}
        rows={rows}
        opened={opened}
        whole={whole.data?.whole_us ?? 0}
        chosen={chosen}
        onChoose={choose}
        onToggle={toggle}
        onSlice={({ longest, name: text }) =>
          longest &&
          showSlice({ host: longest.host, slice: longest.slice }, longest.start_us, longest.duration_us, text)
        }
      />
    </section>
  );
}

/** The rows of what is open, each with its level. */
function rowsOf(
  path: string,
  children: ReadonlyMap<string, readonly CallTreeNode[] | undefined>,
  level: number,
): CallRow[] {
  return (children.get(path) ?? []).flatMap((node) => [
    { node, level },
    ...(children.has(node.path) ? rowsOf(node.path, children, level + 1) : []),
  ]);
}

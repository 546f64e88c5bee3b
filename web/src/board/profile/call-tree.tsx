/** Calls from above or from below: a flame graph, and a table of the same that opens call by call. */

import { useId, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { useView } from "../view/view";
import { type CallRow, CallTable } from "./call-table";
import style from "./call-tree.module.css";
import { FlameGraph } from "./flame-graph";
import { pathsAround } from "./flame-places";
import { FormSwitch, Search } from "./operator-tools";
import {
  type CallTree as CallTreeAnswer,
  type CallTreeNode,
  type CaptureName,
  showProfile,
  showSlice,
  useCallTree,
  useCallTrees,
} from "./profiles";

/** Calls of a flame graph. Narrower boxes are about a pixel. */
const FLAME = { depth: 100, limit: 1000, least_share: 0.001 };
/** Calls that a row of the table opens to at first, how many times as many the next time, and at most. */
const FEW = 200;
const MORE = 5;
const MOST = 100_000;

export function CallTree({ name, direction }: { name: CaptureName; direction: "down" | "up" }) {
  const say = useWords();
  const table = useId();
  const { search, zoom, calls } = useView((view) => view.profile);
  const [opened, open] = useState<readonly string[]>(() => pathsAround(zoom));
  const [limits, limit] = useState<ReadonlyMap<string, number>>(new Map());
  const [chosen, choose] = useState<string | null>(zoom || null);
  const order = calls ?? { sort: direction === "down" ? "total_us" : "self_us", descending: true };
  const limitOf = (path: string) => limits.get(path) ?? FEW;
  const below = (path: string) => ({
    ...{ direction, search, path, ...order },
    ...{ depth: 1, limit: limitOf(path), least_share: 0 },
  });
  const whole = useCallTree(name, below(""));
  const flame = useCallTree(name, { direction, search, path: zoom, ...FLAME });
  const answers = useCallTrees(name, opened.map(below));
  const children = new Map([
    ["", whole.data],
    ...opened.map((path, at) => [path, answers[at]?.data] as const),
  ]);
  const rows = rowsOf("", children, 1);
  const around = flame.data?.around ?? [];
  const zoomTo = (path: string) => showProfile({ zoom: path });
  const toggle = (node: string) =>
    open((before) => (before.includes(node) ? before.filter((each) => each !== node) : [...before, node]));
  const pick = (node: CallTreeNode) => {
    open((before) => [...new Set([...before, ...pathsAround(node.path)])]);
    choose(node.path);
    zoomTo(node.path === zoom ? (around.at(-2)?.path ?? "") : node.path);
  };
  const left = whole.data?.calls_left_out ?? 0;
  return (
    <section className={style.page} aria-label={say(`profile.form.${direction}`)} data-testid="call-tree">
      <div className={style.tools}>
        <FormSwitch />
        <Search text={search} fault={whole.error?.message ?? null} hint={say("profile.column.name")} />
        {zoom && (
          <Button size="small" icon="fit" onClick={() => zoomTo("")}>
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
            table={table}
            chosen={chosen}
            onChoose={pick}
          />
        </div>
      )}
      <CallTable
        id={table}
        label={say(`profile.form.${direction}`)}
        rows={rows}
        opened={opened}
        whole={whole.data?.whole_us ?? 0}
        chosen={chosen}
        order={order}
        onChoose={choose}
        onToggle={toggle}
        onSort={(sort, descending) => showProfile({ calls: { sort, descending } })}
        onMore={(path) => limit(new Map(limits).set(path, Math.min(MORE * limitOf(path), MOST)))}
        onSlice={({ longest, name: text }) =>
          longest &&
          showSlice({ host: longest.host, slice: longest.slice }, longest.start_us, longest.duration_us, text)
        }
      />
    </section>
  );
}

/** The rows of what is open, each with its level; where there are more, one that says how many. */
function rowsOf(
  path: string,
  children: ReadonlyMap<string, CallTreeAnswer | undefined>,
  level: number,
): CallRow[] {
  const { nodes = [], left_out: left = 0 } = children.get(path) ?? {};
  const rows = nodes.flatMap((node): CallRow[] => [
    { path: node.path, level, node },
    ...(children.has(node.path) ? rowsOf(node.path, children, level + 1) : []),
  ]);
  const more = Math.min(left, (MORE - 1) * nodes.length, MOST - nodes.length);
  return more > 0 ? [...rows, { path: `${path}+`, level, below: path, more }] : rows;
}

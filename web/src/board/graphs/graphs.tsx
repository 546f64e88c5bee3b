/** The graph of a model: the picture, and what is known of the selected box. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { readSchemeTheme } from "../../chart";
import { useWords } from "../../i18n/words";
import { undo } from "../../lib/undo-stack";
import { usePageReady } from "../../lib/use-page-ready";
import { Button } from "../../ui/button";
import { Menu, MenuItem } from "../../ui/menu";
import { PictureLayout } from "../../ui/picture-layout";
import { SidePanel } from "../../ui/side-panel";
import type { GraphColoring } from "../view/graphs-view";
import { notify } from "../view/notice";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { Bar, ColorChoice, DepthChoice } from "./bar";
import { Breadcrumb } from "./breadcrumb";
import { paintsOf, StructureSlots } from "./coloring";
import { Details } from "./details";
import { DiffPanel } from "./diff/diff-panel";
import { exportGraph } from "./export";
import { type Picture, type PlacedBox, placeOf } from "./geometry/picture";
import type { Point } from "./geometry/shapes";
import {
  baseOf,
  closeBox,
  type GraphName,
  graphName,
  MAX_BOXES,
  openBox,
  type RunGraph,
  revealPath,
  selectBox,
  showGraphs,
  showMember,
  useGraphTree,
  useSummary,
  usualBase,
} from "./graph-data";
import style from "./graphs.module.css";
import { Legend } from "./legend";
import { Search } from "./search";
import side from "./side.module.css";
import type { GraphStage, Hovered, StageEvents } from "./stage";
import { StageView } from "./stage-view";
import { Summary } from "./summary";
import { Tip } from "./tip";
import { type TotalsMenu, TotalsTable } from "./totals/totals-table";
import { Tree } from "./tree";
import { useLayout, useTextWidths } from "./use-layout";

interface GraphsProps {
  graphs: readonly RunGraph[];
  chosen: RunGraph;
  totalsMenu: TotalsMenu;
}

export function Graphs({ graphs, chosen, totalsMenu }: GraphsProps) {
  const { run, info } = chosen;
  return (
    <Explorer
      key={JSON.stringify([run, info.tag, info.form, info.at])}
      graphs={graphs}
      chosen={chosen}
      totalsMenu={totalsMenu}
    />
  );
}

function Explorer({ graphs, chosen, totalsMenu }: GraphsProps) {
  const say = useWords();
  const graph = useMemo(() => graphName(chosen), [chosen]);
  const view = useView((state) => state.graphs);
  const summary = useSummary(graph).data;
  const tree = useGraphTree(graph, view);
  const scheme = useColorScheme();
  const theme = useMemo(() => readSchemeTheme(scheme), [scheme]);
  const widths = useTextWidths(theme);
  const [accepted, accept] = useState(MAX_BOXES);
  const tooMany = tree.boxes > accepted;
  const layout = useLayout(tooMany ? null : tree.root, widths);
  const { picture } = layout;
  const [stage, setStage] = useState<GraphStage | null>(null);
  const [hovered, setHovered] = useState<{ what: Hovered; at: Point } | null>(null);
  const reveal = useRef(view.selected);

  useEffect(() => {
    if (!stage || !picture) return;
    stage.show(picture, reveal.current);
    reveal.current = "";
  }, [stage, picture]);
  useEffect(() => stage?.select(view.selected), [stage, view.selected]);

  const coloring = view.color ?? usualColoring(graph);
  const structures = useRef(new StructureSlots());
  const paints = useMemo(() => {
    const boxes = picture?.boxes.map(({ box }) => box) ?? [];
    return paintsOf(coloring, boxes, summary, structures.current, scheme);
  }, [coloring, picture, summary, scheme]);
  const look = useMemo(
    () => ({ theme, widths, colorOf: ({ box }: PlacedBox) => paints.colorOf(box) }),
    [theme, widths, paints],
  );
  const actions = useActions(graph, tree.open, stage, reveal);
  const events: StageEvents = {
    ...actions,
    hover: (what, at) => setHovered(what && { what, at }),
  };
  const place = picture && view.selected !== "" ? placeOf(picture, view.selected) : -1;
  const exact = picture?.places.get(view.selected) ?? -1;
  const placed = picture?.boxes[exact] ?? null;
  const fault = tree.error?.message ?? layout.fault;
  const base = baseOf(graphs, chosen, view.base);
  usePageReady(picture !== null || fault !== null || tooMany);

  return (
    <PictureLayout
      data-testid="graphs"
      data-state={picture ? "ready" : "loading"}
      data-layout-ms={layout.tookMs.toFixed(1)}
      data-laid-out={layout.made}
      bar={
        <Bar graphs={graphs} chosen={chosen}>
          <DepthChoice graph={graph} depth={depthOf(picture)} most={(summary?.depth ?? 0) + 1} />
          <ColorChoice coloring={coloring} absent={absentColorings(picture, summary?.devices.length ?? 0)} />
          <Button aria-pressed={view.totals} onClick={() => showGraphs({ totals: !view.totals, base: null })}>
            {say("graphs.totals")}
          </Button>
          {graphs.length > 1 && (
            <Button
              aria-pressed={base !== null}
              onClick={() => compareWith(base ? null : usualBase(graphs, chosen))}
            >
              {say("graphs.diff")}
            </Button>
          )}
          <div className={style.grow} />
          <ExportMenu picture={picture} stage={stage} chosen={chosen} coloring={coloring} summary={summary} />
        </Bar>
      }
      side={
        <SidePanel label={say("graphs.side")}>
          <Search graph={graph} onFound={actions.jump} />
          {paints.legend.kind !== "none" && (
            <section className={side.part} aria-label={say("graphs.color")}>
              <Legend legend={paints.legend} coloring={coloring} />
            </section>
          )}
          {view.selected === "" ? (
            <Summary graph={chosen} summary={summary} />
          ) : (
            <Details
              graph={graph}
              path={placed?.open ? placed.content : view.selected}
              placed={placed}
              onJump={actions.jump}
              onToggle={actions.toggle}
              onMember={actions.member}
            />
          )}
          <Problems problems={summary?.problems ?? []} />
        </SidePanel>
      }
    >
      <StageView stage={stage} onStage={setStage} look={look} events={events}>
        {picture && (
          <Tree
            picture={picture}
            stage={stage}
            selected={view.selected}
            label={say("graphs.tree")}
            onSelect={actions.select}
            onToggle={actions.toggle}
          />
        )}
        {picture && <Breadcrumb picture={picture} at={place} onFit={(path) => stage?.fit(path)} />}
        {picture && stage && hovered && (
          <Tip picture={picture} hovered={hovered.what} at={hovered.at} room={stage.size} />
        )}
        {fault !== null && (
          <div className={style.banner} role="alert">
            <p>{fault}</p>
            <Button size="small" icon="reload" onClick={tree.retry}>
              {say("action.retry")}
            </Button>
          </div>
        )}
        {tooMany && (
          <div className={style.banner} role="alertdialog" aria-label={say("graphs.showAnyway")}>
            <p>{say("graphs.tooMany", { count: tree.boxes })}</p>
            <Button size="small" onClick={() => accept(tree.boxes)}>
              {say("graphs.showAnyway")}
            </Button>
            <Button size="small" onClick={() => goBack(picture)}>
              {say("action.cancel")}
            </Button>
          </div>
        )}
        {layout.slow && (
          <div className={style.banner} role="status">
            <p>{say("graphs.layingOut")}</p>
            <Button
              size="small"
              onClick={() => {
                layout.cancel();
                goBack(picture);
              }}
            >
              {say("action.cancel")}
            </Button>
          </div>
        )}
      </StageView>
      {base && (
        <DiffPanel
          graphs={graphs.filter(({ info }) => info !== chosen.info)}
          graph={graph}
          base={base}
          selected={view.selected}
          onBase={compareWith}
          onJump={actions.jump}
        />
      )}
      {view.totals && !base && (
        <TotalsTable
          graph={graph}
          openInPicture={tree.open}
          selected={placed?.open ? placed.content : view.selected}
          menu={totalsMenu}
          onJump={actions.jump}
          onToggle={(path, open) => {
            const box = picture?.boxes[picture.places.get(path) ?? -1];
            if (box?.box.opens && box.open !== open) actions.toggle(box);
          }}
        />
      )}
    </PictureLayout>
  );
}

/** Shows what is different from another graph, in the place of the totals. */
function compareWith(base: RunGraph | null): void {
  const name = base && { run: base.run, tag: base.info.tag, form: base.info.form };
  showGraphs({ base: name, totals: false });
}

/** Layers of Keras have few scopes, and their types say most. */
function usualColoring({ form }: GraphName): GraphColoring {
  return form === "conceptual" ? "op" : form === "profile" ? "time" : "structure";
}

/** What cannot be shown was asked for: as it was before. */
function goBack(picture: Picture | null): void {
  if (!picture || !undo()) showGraphs({ open: [] });
}

function depthOf(picture: Picture | null): number {
  return 1 + Math.max(0, ...(picture?.boxes.map(({ depth }) => depth) ?? []));
}

function absentColorings(picture: Picture | null, devices: number): ReadonlySet<GraphColoring> {
  const boxes = picture?.boxes.map(({ box }) => box) ?? [];
  const absent = new Set<GraphColoring>();
  for (const name of ["parameters", "memory", "time"] as const) {
    if (boxes.every((box) => box[name] === null)) absent.add(name);
  }
  if (devices === 0) absent.add("device");
  return absent;
}

interface Actions {
  select(placed: PlacedBox | null): void;
  toggle(placed: PlacedBox): void;
  step(placed: PlacedBox, by: 1 | -1): void;
  member(placed: PlacedBox, member: number): void;
  jump(path: string): void;
}

function useActions(
  graph: GraphName,
  openNow: readonly string[],
  stage: GraphStage | null,
  reveal: { current: string },
): Actions {
  const latest = useRef({ openNow, stage });
  latest.current = { openNow, stage };
  const tell = useCallback((fault: unknown) => {
    notify("graphs.failed", { why: fault instanceof Error ? fault.message : String(fault) });
  }, []);
  return useMemo((): Actions => {
    const openable = ({ box, content }: PlacedBox) => ({ path: box.path, content });
    const member = (placed: PlacedBox, at: number) => {
      if (at < 0 || at >= placed.box.members) return;
      void showMember(graph, latest.current.openNow, openable(placed), at).catch(tell);
    };
    return {
      select: (placed) => selectBox(placed?.box.path ?? ""),
      toggle: (placed) => {
        if (placed.open) closeBox(latest.current.openNow, openable(placed));
        else openBox(latest.current.openNow, placed.box.path);
      },
      member,
      step: (placed, by) => member(placed, (placed.member ?? 0) + by),
      jump: (path) => {
        revealPath(graph, latest.current.openNow, path).then((selected) => {
          reveal.current = selected;
          latest.current.stage?.reveal(selected);
        }, tell);
      },
    };
  }, [graph, reveal, tell]);
}

interface ExportMenuProps {
  picture: Picture | null;
  stage: GraphStage | null;
  chosen: RunGraph;
  coloring: GraphColoring;
  summary: Parameters<typeof paintsOf>[2];
}

function ExportMenu({ picture, stage, chosen, coloring, summary }: ExportMenuProps) {
  const say = useWords();
  const save = (format: "svg" | "png") => {
    if (!picture || !stage) return;
    const boxes = picture.boxes.map(({ box }) => box);
    const paints = paintsOf(coloring, boxes, summary, new StructureSlots(), "light");
    const title = [chosen.run, chosen.info.tag].filter((part) => part !== "").join(" · ");
    const drawing = { ...stage.drawing, colorOf: ({ box }: PlacedBox) => paints.colorOf(box) };
    void exportGraph({ picture, title, theme: readSchemeTheme("light"), drawing }, format);
  };
  return (
    <Menu align="end" trigger={<Button icon="download" label={say("take.title")} />}>
      <MenuItem disabled={!picture} onSelect={() => save("svg")}>
        {say("take.svg")}
      </MenuItem>
      <MenuItem disabled={!picture} onSelect={() => save("png")}>
        {say("take.png")}
      </MenuItem>
    </Menu>
  );
}

function Problems({ problems }: { problems: readonly string[] }) {
  const say = useWords();
  if (problems.length === 0) return null;
  return (
    <section className={side.part} aria-label={say("graphs.problems")}>
      <h3 className={side.sub}>{say("graphs.problems")}</h3>
      {problems.map((problem) => (
        <p key={problem} className={side.note}>
          {problem}
        </p>
      ))}
    </section>
  );
}

/** The graph of a model: the picture, and what is known of the selected box. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { GraphBox } from "../../api/graphs";
import { readSchemeTheme } from "../../chart";
import { useWords } from "../../i18n/words";
import type { ColorScheme } from "../../lib/color-scheme";
import { usePageReady } from "../../lib/use-page-ready";
import { Button } from "../../ui/button";
import { PictureLayout } from "../../ui/picture-layout";
import { SidePanel } from "../../ui/side-panel";
import type { GraphColoring } from "../view/graphs-view";
import { useColorScheme } from "../view/theme";
import { change, useView } from "../view/view";
import { Bar, ColorChoice, DepthChoice } from "./bar";
import { paintsOf, StructureSlots } from "./coloring";
import { type DataFile, DataFilePart, dataText, OpenDataButton, useBoxData } from "./data-file";
import { dataPaints } from "./data-paints";
import { Details } from "./details";
import { BasePane } from "./diff/base-pane";
import { DiffPanel } from "./diff/diff-panel";
import { markText, readDiffColors } from "./diff/mark-signs";
import { Panes, paneTitle } from "./diff/panes";
import { type Base, useBase } from "./diff/use-base";
import { type PictureMarks, useComparison, usePictureMarks } from "./diff/use-comparison";
import { ExportMenu } from "./export-menu";
import type { Picture, PlacedBox } from "./geometry/picture";
import {
  closeBox,
  type GraphName,
  graphName,
  openBox,
  type RunGraph,
  revealPath,
  selectBox,
  showGraphs,
  showMember,
  tellFault,
  useSummary,
} from "./graph-data";
import { addressOf, useBaseGraph, useGraphValues, usualBase } from "./graph-values";
import style from "./graphs.module.css";
import { Legend } from "./legend";
import { differenceEntries, legendEntries } from "./legend-entries";
import { Pane, type PaneActions, type PaneState, usePane } from "./pane";
import { RelatedLinks } from "./related-links";
import { RelatedSlices } from "./related-slices";
import { Search } from "./search";
import side from "./side.module.css";
import type { StageStyle } from "./stage";
import { Summary } from "./summary";
import { type TotalsMenu, TotalsTable } from "./totals/totals-table";
import { useTextWidths } from "./use-layout";

const NONE: readonly never[] = [];

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
  const scheme = useColorScheme();
  const theme = useMemo(() => readSchemeTheme(scheme), [scheme]);
  const widths = useTextWidths(theme);
  const pane = usePane(graph, view, widths);
  const { picture, stage, layout } = pane;
  const values = useGraphValues(chosen) ?? NONE;
  const comparison = useComparison(graph, useBaseGraph(graphs, chosen, view.base));
  // Shows what is different from another graph, in the place of the totals.
  const compareWith = (other: RunGraph | null) =>
    showGraphs({ base: other && addressOf(graphs, other), totals: false });
  const base = useBase(comparison, pane);
  const { marks } = base;
  const pictureMarks = usePictureMarks(graph, "graph", picture, marks);

  const [file, setFile] = useState<DataFile | null>(null);
  const dataOf = useBoxData(graph, picture, file);

  const color = view.color === "data" && !file ? null : view.color;
  const coloring = color ?? (comparison ? "difference" : usualColoring(graph));
  const structures = useRef(new StructureSlots());
  const paint = useCallback(
    (boxes: readonly GraphBox[], to: ColorScheme, slots = structures.current) =>
      coloring === "data" && file
        ? dataPaints(file.data, dataOf, to)
        : paintsOf(coloring, boxes, summary, slots, to),
    [coloring, summary, file, dataOf],
  );
  const paints = useMemo(() => paint(boxesOf(picture), scheme), [paint, picture, scheme]);
  const styleOf = useCallback(
    (of: PaneState, marked: PictureMarks): StageStyle => {
      const { colorOf } = paint(boxesOf(of.picture), scheme);
      const markOf = marked.drawnIn(scheme);
      return { theme, widths, ...lookOf(coloring, colorOf, markOf) };
    },
    [paint, scheme, theme, widths, coloring],
  );
  const look = useMemo(() => styleOf(pane, pictureMarks), [styleOf, pane, pictureMarks]);
  const actions = useActions(graph, pane, base);
  const selected = selectedBox(view.selected, pane, base);
  const isReady = picture !== null;
  const { current: linked } = useRef(view.open === null ? view.selected : "");
  useEffect(() => {
    if (isReady && linked !== "") actions.jump(linked, change);
  }, [isReady, linked, actions]);
  usePageReady(picture !== null || faultOf(pane) !== null || pane.tooMany);

  return (
    <PictureLayout
      data-testid="graphs"
      data-state={picture ? "ready" : "loading"}
      data-layout-ms={layout.tookMs.toFixed(1)}
      data-laid-out={layout.made}
      bar={
        <Bar graphs={graphs} chosen={chosen} values={values}>
          <DepthChoice graph={graph} depth={depthOf(picture)} most={(summary?.depth ?? 0) + 1} />
          <ColorChoice
            coloring={coloring}
            absent={absentColorings(
              picture,
              summary?.devices.length ?? 0,
              comparison !== null,
              file !== null,
            )}
          />
          <OpenDataButton graph={graph} onOpen={setFile} />
          <Button aria-pressed={view.totals} onClick={() => showGraphs({ totals: !view.totals, base: null })}>
            {say("graphs.totals")}
          </Button>
          {(graphs.length > 1 || values.length > 1) && (
            <Button
              aria-pressed={comparison !== null}
              onClick={() => compareWith(comparison ? null : usualBase(graphs, chosen, values))}
            >
              {say("graphs.diff")}
            </Button>
          )}
          <div className={style.grow} />
          <ExportMenu
            picture={picture}
            stage={stage}
            chosen={chosen}
            styleOf={(to) => {
              const { colorOf, legend } = paint(boxesOf(picture), to, new StructureSlots());
              const [whole] = comparison?.differences.data?.scopes ?? [];
              const differences = whole ? differenceEntries(whole, readDiffColors(to)) : [];
              return {
                ...lookOf(coloring, colorOf, pictureMarks.drawnIn(to)),
                legend: [...legendEntries(legend, coloring), ...differences],
              };
            }}
          />
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
          {file && <DataFilePart file={file} onClose={() => setFile(null)} />}
          {selected === null ? (
            <Summary graph={chosen} summary={summary} />
          ) : (
            <Details
              graph={selected.inBase && comparison ? comparison.name : graph}
              path={selected.placed?.open ? selected.placed.content : selected.path}
              placed={selected.placed}
              value={valueText(selected, dataOf)}
              onJump={actions.jump}
              onToggle={actions.toggle}
              onMember={actions.member}
            />
          )}
          {selected !== null && (
            <RelatedLinks
              run={(selected.inBase && comparison ? comparison.base : chosen).info.run}
              path={selected.placed?.open ? selected.placed.content : selected.path}
            />
          )}
          {selected !== null && (
            <RelatedSlices
              run={(selected.inBase && comparison ? comparison.base : chosen).run}
              path={selected.placed?.open ? selected.placed.content : selected.path}
            />
          )}
          <Problems problems={summary?.problems ?? []} />
        </SidePanel>
      }
    >
      <Panes base={comparison && base}>
        <Pane
          pane={pane}
          look={look}
          actions={actions}
          side="graph"
          label={say("graphs.tree")}
          noteOf={(placed) => markText(pictureMarks.of(placed))}
          {...(comparison && { title: paneTitle(chosen, comparison.base) })}
        />
        {comparison && marks && (
          <BasePane
            key={JSON.stringify(comparison.name)}
            comparison={{ ...comparison, marks }}
            title={paneTitle(comparison.base, chosen)}
            view={view}
            openNow={base.openNow}
            widths={widths}
            styleOf={styleOf}
            onPane={base.setPane}
            onLook={base.lookBack}
            onFit={actions.fit}
            onFault={tellFault}
          />
        )}
      </Panes>
      {comparison && (
        <DiffPanel
          graphs={graphs}
          chosen={chosen}
          comparison={comparison}
          selected={view.selected}
          onBase={compareWith}
          onJump={actions.jump}
        />
      )}
      {view.totals && !comparison && (
        <TotalsTable
          graph={graph}
          openInPicture={pane.tree.open}
          selected={selected?.placed?.open ? selected.placed.content : view.selected}
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

function boxesOf(picture: Picture | null): readonly GraphBox[] {
  return picture?.boxes.map(({ box }) => box) ?? [];
}

function faultOf({ tree, layout }: PaneState): string | null {
  return tree.error?.message ?? layout.fault;
}

/** The colours of boxes, which are those of their marks if colours stand for differences, and their marks. */
function lookOf(
  coloring: GraphColoring,
  colorOf: (box: GraphBox) => string | null,
  markOf: StageStyle["markOf"],
): Pick<StageStyle, "colorOf" | "markOf"> {
  const marked = coloring === "difference";
  return { markOf, colorOf: (placed) => (marked ? (markOf(placed)?.color ?? null) : colorOf(placed.box)) };
}

/** What of the view is selected, in the graph or, of what only the base has, there; null if nothing is. */
function selectedBox(path: string, { picture }: PaneState, { marks, pane }: Base): SelectedBox | null {
  if (path === "") return null;
  const inBase = marks?.isOnlyInBase(path) ?? false;
  const shown = inBase ? (pane?.picture ?? null) : picture;
  return { path, inBase, placed: shown?.boxes[shown.places.get(path) ?? -1] ?? null };
}

function valueText({ placed, inBase }: SelectedBox, dataOf: ReturnType<typeof useBoxData>): string | null {
  const found = placed && !inBase ? dataOf(placed.box) : null;
  return found && dataText(found);
}

interface SelectedBox {
  path: string;
  inBase: boolean;
  /** Null if it is not shown. */
  placed: PlacedBox | null;
}

/** Layers of Keras have few scopes, and their types say most. */
function usualColoring({ form }: GraphName): GraphColoring {
  return form === "conceptual" ? "op" : form === "profile" ? "time" : "structure";
}

function depthOf(picture: Picture | null): number {
  return 1 + Math.max(0, ...(picture?.boxes.map(({ depth }) => depth) ?? []));
}

function absentColorings(
  picture: Picture | null,
  devices: number,
  compared: boolean,
  hasData: boolean,
): ReadonlySet<GraphColoring> {
  const boxes = boxesOf(picture);
  const absent = new Set<GraphColoring>();
  for (const name of ["parameters", "memory", "time"] as const) {
    if (boxes.every((box) => box[name] === null)) absent.add(name);
  }
  if (devices === 0) absent.add("device");
  if (!compared) absent.add("difference");
  if (!hasData) absent.add("data");
  return absent;
}

interface Actions extends PaneActions {
  member(placed: PlacedBox, member: number): void;
  jump(path: string, how?: typeof change): void;
}

function useActions(graph: GraphName, pane: PaneState, base: Base): Actions {
  const latest = useRef({ pane, base });
  latest.current = { pane, base };
  return useMemo((): Actions => {
    const openable = ({ box, content }: PlacedBox) => ({ path: box.path, content });
    const openNow = () => latest.current.base.openNow;
    const member = (placed: PlacedBox, at: number) => {
      if (at < 0 || at >= placed.box.members) return;
      void showMember(graph, openNow(), openable(placed), at).catch(tellFault);
    };
    return {
      look: (camera) => latest.current.base.look(camera),
      fit: (path) => {
        latest.current.pane.stage?.fit(path);
        latest.current.base.fit(path);
      },
      select: (placed) => selectBox(placed?.box.path ?? ""),
      toggle: (placed) => {
        if (placed.open) closeBox(openNow(), openable(placed));
        else openBox(openNow(), placed.box.path);
      },
      member,
      step: (placed, by) => member(placed, (placed.member ?? 0) + by),
      jump: (path, how) => {
        const { nameOf, marks } = latest.current.base;
        const opening = { opensStack: marks !== null, how: how ?? null };
        revealPath(nameOf(path) ?? graph, openNow(), path, opening).then((selected) => {
          latest.current.pane.reveal(selected);
          latest.current.base.reveal(selected);
        }, tellFault);
      },
    };
  }, [graph]);
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

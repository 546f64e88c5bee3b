/** The projector: points, legend and settings. */

import { useEffect, useMemo, useState } from "react";
import type { TensorInfo, TensorList } from "../../api/projector";
import { readSchemeTheme } from "../../chart";
import { fontOf } from "../../chart/pen";
import { useWords } from "../../i18n/words";
import { usePageReady } from "../../lib/use-page-ready";
import { PictureLayout } from "../../ui/picture-layout";
import { SidePanel } from "../../ui/side-panel";
import type { ColorScheme } from "../runs/slot";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { Bar, Choices, GROUPS, methodName, show } from "./bar";
import { BookmarkMenu } from "./bookmark-menu";
import { type ColumnValues, coloringOf } from "./coloring";
import { resetExploration, updateExploration, useExploration } from "./exploration";
import { exportRows } from "./export";
import { ExportMenu } from "./export-menu";
import { Foot } from "./foot";
import type { Tiles } from "./labels";
import { Legend } from "./legend";
import { Neighbors, useNeighbors } from "./neighbors";
import type { OverlayTheme } from "./overlay";
import { Parameters } from "./parameters";
import style from "./projector.module.css";
import { groupColumn, type Rows, statesOf, unionOf } from "./rows";
import type { Scene } from "./scene";
import { SceneView } from "./scene-view";
import { Search } from "./search";
import { Selection } from "./selection";
import {
  chosenColumn,
  familyOf,
  infoOf,
  type Tensor,
  tensorFrom,
  tidyName,
  useColumn,
  useNames,
  useTiles,
  usualLabel,
} from "./tensors";
import { Tip } from "./tip";
import { useLayout } from "./use-layout";

const NO_MARKS: readonly number[] = [];
const LABEL_PX = 11;

export function Projector({ list }: { list: TensorList }) {
  const view = useView((state) => state.projector);
  const info = infoOf(list.tensors, view);
  const key = info ? familyOf(info) : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another tensor are other points
  useEffect(() => resetExploration, [key]);
  const tensor = useMemo(() => (info?.problem === null ? tensorFrom(info) : null), [info]);
  if (tensor !== null) return <Explorer list={list} tensor={tensor} />;
  return info ? <Trouble list={list} info={info} /> : null;
}

function Trouble({ list, info }: { list: TensorList; info: TensorInfo }) {
  useReady(true);
  return (
    <PictureLayout
      data-testid="projector"
      data-state="error"
      bar={<Bar tensors={list.tensors} info={info} />}
    >
      <div className={style.problem} role="alert">
        {info.problem}
      </div>
    </PictureLayout>
  );
}

function Explorer({ list, tensor }: { list: TensorList; tensor: Tensor }) {
  const say = useWords();
  const view = useView((state) => state.projector);
  const [scene, setScene] = useState<Scene | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [tiles, setTiles] = useState<Tiles | null>(null);
  const scheme = useColorScheme();
  const theme = useMemo(() => themeOf(scheme), [scheme]);
  const { columns } = tensor;
  const label = columns.find(({ name }) => name === view.label)?.name ?? usualLabel(columns);
  const nameOf = useNames(tensor, label);
  useTiles(tensor, setTiles);

  const selection = useExploration((exploring) => exploring.selection);
  const isolated = useExploration((exploring) => exploring.isolated);
  const alone = useExploration((exploring) => exploring.alone);
  const focus = useExploration((exploring) => exploring.focus);
  const near = useNeighbors(tensor);
  const marked = useMemo(
    () => (focus === null ? NO_MARKS : [focus, ...(near.data?.rows ?? [])]),
    [focus, near.data],
  );
  const chosen = useMemo(
    (): Rows => (marked.length === 0 ? selection : unionOf(selection, Uint32Array.from(marked))),
    [selection, marked],
  );
  const { name: colorName, values, hasGroups } = useColors(tensor, view.color);
  const coloring = useMemo(() => coloringOf(values, tensor.rows, scheme), [values, tensor.rows, scheme]);
  const layout = useLayout(tensor, view, label, alone ? isolated : null, scene);
  const { places } = layout;

  useEffect(() => scene?.paint(coloring), [scene, coloring]);
  useEffect(
    () => scene?.standOut(statesOf(tensor.rows, selection, marked, isolated)),
    [scene, tensor.rows, selection, marked, isolated],
  );
  useEffect(() => scene?.mark(marked), [scene, marked]);
  useEffect(
    () => scene?.label({ marks: view.marks, textOf: nameOf, tiles }),
    [scene, view.marks, nameOf, tiles],
  );
  useReady(places > 0 || layout.error !== null || layout.task?.state === "failed");

  const layoutCount = layout.task?.points ?? tensor.rows;
  const shown = isolated === null ? (places === 0 ? 0 : layoutCount) : isolated.length;
  const color = colorName !== null && values !== null ? { column: colorTitle(colorName, say), values } : null;
  const group = (name: string) => {
    const { groups } = useExploration.getState();
    updateExploration({ groups: [...groups, { name, rows: chosen }] });
    show({ color: GROUPS });
  };
  const title = `${tidyName(tensor.name)} · ${methodName(view.method)}`;
  const solid = view.dims === 3 && view.method !== "custom";

  return (
    <PictureLayout
      data-testid="projector"
      data-state={places > 0 ? "ready" : "loading"}
      data-color={colorName ?? ""}
      bar={
        <Bar tensors={list.tensors} info={tensor}>
          <Choices tensor={tensor} color={colorName} hasGroups={hasGroups} />
          <Parameters
            tensor={tensor}
            color={colorName}
            hasGroups={hasGroups}
            label={label}
            variance={layout.task?.variance ?? null}
          />
          <BookmarkMenu tensor={tensor} scene={scene} />
          <ExportMenu
            tensor={tensor}
            scene={scene}
            rows={chosen}
            coloring={() => coloringOf(values, tensor.rows, "light")}
            theme={() => themeOf("light")}
            title={title}
            legendTitle={color?.column ?? ""}
            solid={solid}
          />
        </Bar>
      }
      side={
        <SidePanel label={say("projector.side")}>
          {label !== null && <Search key={familyOf(tensor)} tensor={tensor} label={label} />}
          {color && coloring.legend && (
            <Legend title={color.column} legend={coloring.legend} values={color.values} />
          )}
          <Selection
            rows={chosen}
            color={color && { ...color, legend: coloring.legend }}
            nameOf={nameOf}
            onGroup={group}
            onExport={() => void exportRows(tensor, chosen, false)}
          />
          {focus !== null && (
            <Neighbors
              tensor={tensor}
              row={focus}
              found={near.data}
              error={near.error}
              nameOf={nameOf}
              tiles={tiles}
            />
          )}
        </SidePanel>
      }
    >
      <SceneView
        scene={scene}
        onScene={setScene}
        theme={theme}
        description={say("projector.picture", { title, count: layoutCount })}
        solid={solid}
        onFault={setFault}
      >
        {layout.idle && (
          <p className={style.hint}>{say(label === null ? "projector.endsNone" : "projector.endsHow")}</p>
        )}
        <Tip scene={scene} nameOf={nameOf} tiles={tiles} color={color} />
      </SceneView>
      <Foot missing={list.missing} tensor={tensor} layout={layout} shown={shown} fault={fault} />
    </PictureLayout>
  );
}

interface Colors {
  name: string | null;
  values: ColumnValues | null;
  hasGroups: boolean;
}

/** The column to colour by: from the metadata, or the user's groups. */
function useColors(tensor: Tensor, wanted: string | null): Colors {
  const say = useWords();
  const groups = useExploration((exploring) => exploring.groups);
  const hasGroups = groups.length > 0;
  const byGroups = wanted === GROUPS && hasGroups;
  const name = byGroups ? GROUPS : chosenColumn(tensor.columns, wanted);
  const column = useColumn(tensor, byGroups ? null : name);
  const own = useMemo(
    () => (byGroups ? groupColumn(tensor.rows, groups, say("projector.noGroup")) : null),
    [byGroups, tensor.rows, groups, say],
  );
  return { name, values: own ?? column, hasGroups };
}

function colorTitle(name: string, say: ReturnType<typeof useWords>): string {
  return name === GROUPS ? say("projector.groups") : name;
}

/** Colours of a color scheme for canvases. */
function themeOf(scheme: ColorScheme): OverlayTheme {
  const theme = readSchemeTheme(scheme);
  return { text: theme.text, paper: theme.surface, accent: theme.accent, font: fontOf(theme, LABEL_PX) };
}

function useReady(ready: boolean): void {
  usePageReady(ready);
}

/** The embeddings of the logs: points on a stage, what they mean beside it, how they are laid out above it. */

import { useEffect, useMemo, useState } from "react";
import type { TensorInfo, TensorList } from "../../api/projector";
import { readTheme } from "../../chart";
import { fontOf } from "../../chart/pen";
import type { Shade } from "../../state/slot";
import { useShade } from "../../state/theme";
import { useView } from "../../state/view";
import { useWords } from "../../words/words";
import { Bar, Choices, GROUPS, methodName, show } from "./bar";
import { BookmarkMenu } from "./bookmark-menu";
import { type ColumnValues, coloringOf } from "./coloring";
import { explore, exploreAnew, useExploring } from "./exploring";
import { Foot } from "./foot";
import { Legend } from "./legend";
import { Neighbors, useNeighbors } from "./neighbors";
import type { OverlayTheme } from "./overlay";
import { Parameters } from "./parameters";
import style from "./projector.module.css";
import { groupColumn, joined, type Rows, statesOf } from "./rows";
import { useSave } from "./saving";
import type { Scene, Tiles } from "./scene";
import { Search } from "./search";
import { Selection } from "./selection";
import side from "./side.module.css";
import { StageView } from "./stage-view";
import { TakeAway } from "./take-away";
import { takeRows } from "./taking";
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
  useEffect(() => exploreAnew, [key]);
  const tensor = useMemo(() => (info?.problem === null ? tensorFrom(info) : null), [info]);
  if (tensor !== null) return <Explorer list={list} tensor={tensor} />;
  return info ? <Trouble list={list} info={info} /> : null;
}

function Trouble({ list, info }: { list: TensorList; info: TensorInfo }) {
  useReady(true);
  return (
    <div className={style.projector} data-testid="projector" data-state="error">
      <Bar tensors={list.tensors} info={info} />
      <div className={style.problem} role="alert">
        {info.problem}
      </div>
    </div>
  );
}

function Explorer({ list, tensor }: { list: TensorList; tensor: Tensor }) {
  const say = useWords();
  const save = useSave();
  const view = useView((state) => state.projector);
  const [scene, setScene] = useState<Scene | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [tiles, setTiles] = useState<Tiles | null>(null);
  const shade = useShade();
  const theme = useMemo(() => themeOf(shade), [shade]);
  const { columns } = tensor;
  const label = columns.find(({ name }) => name === view.label)?.name ?? usualLabel(columns);
  const nameOf = useNames(tensor, label);
  useTiles(tensor, setTiles);

  const selection = useExploring((exploring) => exploring.selection);
  const isolated = useExploring((exploring) => exploring.isolated);
  const alone = useExploring((exploring) => exploring.alone);
  const focus = useExploring((exploring) => exploring.focus);
  const near = useNeighbors(tensor);
  const marked = useMemo(
    () => (focus === null ? NO_MARKS : [focus, ...(near.data?.rows ?? [])]),
    [focus, near.data],
  );
  const chosen = useMemo(
    (): Rows => (marked.length === 0 ? selection : joined(selection, Uint32Array.from(marked))),
    [selection, marked],
  );
  const { name: colorName, values, hasGroups } = useColors(tensor, view.color);
  const coloring = useMemo(() => coloringOf(values, tensor.rows, shade), [values, tensor.rows, shade]);
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

  const held = layout.task?.points ?? tensor.rows;
  const shown = isolated === null ? (places === 0 ? 0 : held) : isolated.length;
  const color = colorName !== null && values !== null ? { column: colorTitle(colorName, say), values } : null;
  const group = (name: string) => {
    const { groups } = useExploring.getState();
    explore({ groups: [...groups, { name, rows: chosen }] });
    show({ color: GROUPS });
  };
  const title = `${tidyName(tensor.name)} · ${methodName(view.method)}`;
  const solid = view.dims === 3 && view.method !== "custom";

  return (
    <div
      className={style.projector}
      data-testid="projector"
      data-state={places > 0 ? "ready" : "loading"}
      data-color={colorName ?? ""}
    >
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
        <TakeAway
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
      <div className={style.body}>
        <div className={style.main}>
          <StageView
            scene={scene}
            onScene={setScene}
            theme={theme}
            description={say("projector.picture", { title, count: held })}
            solid={solid}
            onFault={setFault}
          >
            {layout.idle && (
              <p className={style.hint}>{say(label === null ? "projector.endsNone" : "projector.endsHow")}</p>
            )}
            <Tip scene={scene} nameOf={nameOf} tiles={tiles} color={color} />
          </StageView>
          <Foot missing={list.missing} tensor={tensor} layout={layout} shown={shown} fault={fault} />
        </div>
        <aside className={side.side} aria-label={say("projector.side")}>
          {label !== null && <Search key={familyOf(tensor)} tensor={tensor} label={label} />}
          {color && coloring.legend && (
            <Legend title={color.column} legend={coloring.legend} values={color.values} />
          )}
          <Selection
            rows={chosen}
            color={color && { ...color, legend: coloring.legend }}
            nameOf={nameOf}
            onGroup={group}
            onTake={() => void takeRows(tensor, chosen, false, save)}
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
        </aside>
      </div>
    </div>
  );
}

interface Colors {
  name: string | null;
  values: ColumnValues | null;
  hasGroups: boolean;
}

/** The column of the colours: of the metadata, or the groups made by hand. */
function useColors(tensor: Tensor, wanted: string | null): Colors {
  const say = useWords();
  const groups = useExploring((exploring) => exploring.groups);
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

/** The colours of a theme for canvases, whichever the page has. */
function themeOf(shade: Shade): OverlayTheme {
  const probe = document.createElement("div");
  probe.dataset.theme = shade;
  document.body.append(probe);
  const theme = readTheme(probe);
  probe.remove();
  return { text: theme.text, paper: theme.surface, accent: theme.accent, font: fontOf(theme, LABEL_PX) };
}

function useReady(ready: boolean): void {
  useEffect(() => {
    if (ready) document.documentElement.dataset.ready = "true";
  }, [ready]);
}

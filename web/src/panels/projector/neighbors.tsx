/** One point: what its columns say, and the points nearest to it among all dimensions, with their distances. */

import { useQuery } from "@tanstack/react-query";
import { askLabels, askNeighbors, type NeighboursAnswer as Found } from "../../api/projector";
import { formatValue } from "../../base/number";
import { Button } from "../../widgets/button";
import { Select } from "../../widgets/select";
import { useWords } from "../../words/words";
import { explore, type Metric, useExploring } from "./exploring";
import type { Tiles } from "./scene";
import style from "./side.module.css";
import { keyOf, type Tensor } from "./tensors";
import { Tile } from "./tip";

const LEAST = 5;
const MOST = 200;
const TILE_PX = 64;

/** The neighbours of the point that is looked at; undefined while they come, or where there is none. */
export function useNeighbors(tensor: Tensor): { data: Found | undefined; error: Error | null } {
  const row = useExploring((exploring) => exploring.focus);
  const metric = useExploring((exploring) => exploring.metric);
  const wanted = useExploring((exploring) => exploring.neighbors);
  const { run, name } = tensor;
  const { data, error } = useQuery({
    queryKey: ["projector", "neighbors", keyOf(tensor), row, metric, wanted],
    queryFn: ({ signal }) => askNeighbors({ run, name, row: row!, metric, count: wanted }, signal),
    enabled: row !== null,
    retry: false,
    gcTime: 60_000,
  });
  return { data: row === null ? undefined : data, error };
}

interface NeighborsProps {
  tensor: Tensor;
  row: number;
  found: Found | undefined;
  error: Error | null;
  nameOf(row: number): string | null;
  tiles: Tiles | null;
}

export function Neighbors({ tensor, row, found, error, nameOf, tiles }: NeighborsProps) {
  const say = useWords();
  const metric = useExploring((exploring) => exploring.metric);
  const wanted = useExploring((exploring) => exploring.neighbors);
  return (
    <section
      className={style.part}
      aria-label={say("projector.neighbors")}
      data-testid="neighbors"
      data-row={row}
    >
      <div className={style.head}>
        <h3 className={style.title}>
          <bdi>{nameOf(row) ?? "…"}</bdi>
        </h3>
        <Button
          size="small"
          look="quiet"
          icon="close"
          label={say("action.close")}
          onClick={() => explore({ focus: null })}
        />
      </div>
      {tiles && <Tile tiles={tiles} row={row} side={TILE_PX} />}
      <Facts tensor={tensor} row={row} />
      <div className={style.row}>
        <Select
          label={say("projector.metric")}
          value={metric}
          options={(["cosine", "euclidean"] as const).map((value) => ({
            value,
            label: say(`projector.metric.${value}`),
          }))}
          onChange={(value) => explore({ metric: value as Metric })}
        />
        <label className={style.slider}>
          <span>{wanted}</span>
          <input
            type="range"
            min={LEAST}
            max={MOST}
            value={wanted}
            aria-label={say("projector.neighborCount")}
            onChange={(event) => explore({ neighbors: Number(event.target.value) })}
          />
        </label>
      </div>
      {error && <p className={style.fault}>{error.message}</p>}
      {found && (
        <ol className={style.list}>
          {found.rows.map((each, at) => (
            <li key={each}>
              <button
                type="button"
                className={style.item}
                onClick={() => explore({ focus: each })}
                data-testid="neighbor"
                data-row={each}
              >
                <bdi className={style.label}>{nameOf(each) ?? "…"}</bdi>
                <span className={style.end}>{formatValue(Number(found.distances[at]), 3)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** What every column says of one point. */
function Facts({ tensor, row }: { tensor: Tensor; row: number }) {
  const columns = tensor.columns;
  const { data } = useQuery({
    queryKey: ["projector", "facts", keyOf(tensor), row],
    queryFn: async ({ signal }) =>
      Promise.all(
        columns.map(async ({ name }) => (await askLabels(tensor, name, [row], signal)).labels[0] ?? ""),
      ),
    enabled: columns.length > 1,
    gcTime: 60_000,
  });
  if (columns.length < 2) return null;
  return (
    <dl className={style.facts}>
      {columns.map(({ name }, at) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <bdi>{data?.[at] ?? "…"}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

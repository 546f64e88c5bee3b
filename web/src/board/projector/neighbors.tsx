/** One point: its columns, and its nearest neighbours among all dimensions, with distances. */

import { useQuery } from "@tanstack/react-query";
import { fetchLabels, fetchNeighbors, type NeighboursResponse } from "../../api/projector";
import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { Button } from "../../ui/button";
import { Select } from "../../ui/select";
import { type Metric, updateExploration, useExploration } from "./exploration";
import type { Tiles } from "./labels";
import style from "./side.module.css";
import { keyOf, type Tensor } from "./tensors";
import { Tile } from "./tip";

const LEAST = 5;
const MOST = 200;
const TILE_PX = 64;

/** The neighbours of the focused point; undefined while they load, or without a point. */
export function useNeighbors(tensor: Tensor): { data: NeighboursResponse | undefined; error: Error | null } {
  const row = useExploration((exploring) => exploring.focus);
  const metric = useExploration((exploring) => exploring.metric);
  const wanted = useExploration((exploring) => exploring.neighbors);
  const { run, name } = tensor;
  const { data, error } = useQuery({
    queryKey: ["projector", "neighbors", keyOf(tensor), row, metric, wanted],
    queryFn: ({ signal }) => fetchNeighbors({ run, name, row: row!, metric, count: wanted }, signal),
    enabled: row !== null,
    retry: false,
    gcTime: 60_000,
  });
  return { data: row === null ? undefined : data, error };
}

interface NeighborsProps {
  tensor: Tensor;
  row: number;
  found: NeighboursResponse | undefined;
  error: Error | null;
  nameOf(row: number): string | null;
  tiles: Tiles | null;
}

export function Neighbors({ tensor, row, found, error, nameOf, tiles }: NeighborsProps) {
  const say = useWords();
  const metric = useExploration((exploring) => exploring.metric);
  const wanted = useExploration((exploring) => exploring.neighbors);
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
          variant="quiet"
          icon="close"
          label={say("action.close")}
          onClick={() => updateExploration({ focus: null })}
        />
      </div>
      {tiles && <Tile tiles={tiles} row={row} side={TILE_PX} />}
      <PointDetails tensor={tensor} row={row} />
      <div className={style.row}>
        <Select
          label={say("projector.metric")}
          value={metric}
          options={(["cosine", "euclidean"] as const).map((value) => ({
            value,
            label: say(`projector.metric.${value}`),
          }))}
          onChange={(value) => updateExploration({ metric: value as Metric })}
        />
        <label className={style.slider}>
          <span>{wanted}</span>
          <input
            type="range"
            min={LEAST}
            max={MOST}
            value={wanted}
            aria-label={say("projector.neighborCount")}
            onChange={(event) => updateExploration({ neighbors: Number(event.target.value) })}
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
                onClick={() => updateExploration({ focus: each })}
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

/** All columns of one point. */
function PointDetails({ tensor, row }: { tensor: Tensor; row: number }) {
  const columns = tensor.columns;
  const { data } = useQuery({
    queryKey: ["projector", "facts", keyOf(tensor), row],
    queryFn: async ({ signal }) =>
      Promise.all(
        columns.map(async ({ name }) => (await fetchLabels(tensor, name, [row], signal)).labels[0] ?? ""),
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

/** A card to export: its tags, the runs drawn for each, and their points, fetched at print resolution. */

import type { ChartSeries } from "../../chart";
import { difference } from "../cards/difference";
import { type Margin, type TaggedSeries, withBands } from "../cards/margins";
import type { Feed, Points, SeriesQuery } from "../data/feed";
import type { TagInfo } from "../data/lists";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { dashLengths } from "../runs/slot";
import { choiceOf } from "../view/cards";
import type { View } from "../view/view-state";
import { boxOf } from "../view/zoom";

export interface CardPart {
  tag: TagInfo;
  runs: readonly LineStyle[];
  /** Set on the first part of a custom card: its name, title, and bands whose edges are tags of the card. */
  custom?: { name: string; title: string; margins: readonly Margin[] | null };
}

/** The first tag names the card. */
export type ExportCard = readonly CardPart[];

export function tagOf(card: ExportCard): string {
  return card[0]!.custom?.name ?? card[0]!.tag.tag;
}

export function marginsOf(card: ExportCard): readonly Margin[] | null {
  return card[0]!.custom?.margins ?? null;
}

/** Ids of the runs behind the lines: single ones, and members of groups. */
export function runIds(lineStyles: readonly LineStyle[]): number[] {
  return [...new Set(lineStyles.flatMap(({ id, members }) => members ?? [id]))];
}

export function smoothingOf(card: ExportCard, view: View): number {
  if (marginsOf(card) !== null) return 0;
  return choiceOf(view, tagOf(card)).smoothing ?? view.smoothing;
}

/** The baseline run, if the card shows differences. */
export function baselineOf(card: ExportCard, view: View): string | null {
  const measured = marginsOf(card) === null && (choiceOf(view, tagOf(card)).baseline ?? false);
  const drawn = card.some(({ runs }) => runs.some(({ name }) => name === view.baseline));
  return measured && drawn ? view.baseline : null;
}

/** The lines of a card in the colours of the light theme, with points for a width of `px` pixels. */
export async function linesOf(
  card: ExportCard,
  view: View,
  names: readonly string[],
  feed: Feed,
  px: number,
  signal: AbortSignal,
): Promise<ChartSeries[]> {
  const zoom = boxOf(view, tagOf(card))?.x ?? view.zoom;
  const { smoothing, logX = view.logX } = choiceOf(view, tagOf(card));
  const found = await Promise.all(
    card.map((part) => pointsOf(feed, queryOf(part, { zoom, px, smoothing, logX }), signal)),
  );
  const baseline = baselineOf(card, view);
  const margins = marginsOf(card);
  const lines = card.flatMap(({ tag, runs }, place) => {
    const points = found[place]!;
    const base = runs.find(({ name }) => name === baseline);
    const ground = base && points.get(base.id);
    return runs.flatMap((lineStyle): TaggedSeries[] => {
      const own = points.get(lineStyle.id);
      if (!own) return [];
      const shown = ground ? difference(own, ground, smoothingOf(card, view)) : own;
      const stroke = strokeOf(lineStyle, card.length > 1 && margins === null ? place : null);
      const series = { ...shown, ...stroke, ...named(lineStyle, tag.tag, names[place]) };
      return [{ tag: tag.tag, series }];
    });
  });
  return margins === null ? lines.map(({ series }) => series) : withBands(lines, margins);
}

function strokeOf(lineStyle: LineStyle, place: number | null): Pick<ChartSeries, "color" | "dash"> {
  return {
    color: colorOf(lineStyle, "light"),
    dash: dashLengths(place ?? dashOf(lineStyle)),
  };
}

function named(
  lineStyle: LineStyle,
  tag: string,
  short: string | undefined,
): Pick<ChartSeries, "label" | "tag"> {
  return short === undefined ? { label: lineStyle.label } : { label: `${lineStyle.label} · ${short}`, tag };
}

function queryOf({ tag, runs }: CardPart, asked: Omit<SeriesQuery, "tag" | "runs" | "groups">): SeriesQuery {
  return {
    ...asked,
    tag: tag.tag,
    runs: runs.filter(({ members }) => members === null).map(({ id }) => id),
    groups: runs.flatMap(({ id, members }) => (members === null ? [] : [{ id, runs: members }])),
  };
}

/** Resolves when all points are here. */
function pointsOf(feed: Feed, want: SeriesQuery, signal: AbortSignal): Promise<ReadonlyMap<number, Points>> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // The first delivery may come before `watch` returns the subscription.
    let close = () => {};
    let over = false;
    const end = (settle: () => void) => {
      over = true;
      close();
      settle();
    };
    const subscription = feed.watch(want, ({ series, complete, error }) => {
      if (over) return;
      if (complete) end(() => resolve(series));
      else if (error) end(() => reject(error));
    });
    close = () => subscription.close();
    if (over) close();
    signal.addEventListener("abort", () => end(() => reject(signal.reason)), { once: true });
  });
}

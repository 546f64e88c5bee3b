/** A card as it is taken away: its tags and what is drawn of each, and the points of that, fetched for paper. */

import type { ChartSeries } from "../../chart";
import { choiceOf } from "../../state/cards";
import { difference } from "../../state/difference";
import type { Feed, Points, Want } from "../../state/feed";
import type { TagInfo } from "../../state/lists";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { banded, type Margin, type Told } from "../../state/margins";
import { dashLengths } from "../../state/slot";
import type { View } from "../../state/viewstate";
import { boxOf } from "../../state/zoom";

export interface TakenPart {
  tag: TagInfo;
  runs: readonly RunLook[];
  /** Said on the first part of a card that somebody made: its name, and bands whose edges are tags of it. */
  made?: { name: string; title: string; margins: readonly Margin[] | null };
}

/** The first tag names the card. */
export type TakenCard = readonly TakenPart[];

const DASHES = 4;

export function tagOf(card: TakenCard): string {
  return card[0]!.made?.name ?? card[0]!.tag.tag;
}

export function marginsOf(card: TakenCard): readonly Margin[] | null {
  return card[0]!.made?.margins ?? null;
}

/** Ids of the runs behind what is drawn: those alone, and those in groups. */
export function runIds(looks: readonly RunLook[]): number[] {
  return [...new Set(looks.flatMap(({ id, members }) => members ?? [id]))];
}

export function smoothingOf(card: TakenCard, view: View): number {
  if (marginsOf(card) !== null) return 0;
  return choiceOf(view, tagOf(card)).smoothing ?? view.smoothing;
}

/** Of a card in the form of differences, the run they are measured from. */
export function baselineOf(card: TakenCard, view: View): string | null {
  const measured = marginsOf(card) === null && (choiceOf(view, tagOf(card)).baseline ?? false);
  const drawn = card.some(({ runs }) => runs.some(({ name }) => name === view.baseline));
  return measured && drawn ? view.baseline : null;
}

/** The lines of a card in the colours of paper, with the points that `px` pixels show. */
export async function linesOf(
  card: TakenCard,
  view: View,
  names: readonly string[],
  feed: Feed,
  px: number,
  signal: AbortSignal,
): Promise<ChartSeries[]> {
  const zoom = boxOf(view, tagOf(card))?.x ?? view.zoom;
  const { smoothing, logX = view.logX } = choiceOf(view, tagOf(card));
  const found = await Promise.all(
    card.map((part) => pointsOf(feed, wantOf(part, { zoom, px, smoothing, logX }), signal)),
  );
  const baseline = baselineOf(card, view);
  const margins = marginsOf(card);
  const lines = card.flatMap(({ tag, runs }, place) => {
    const points = found[place]!;
    const base = runs.find(({ name }) => name === baseline);
    const ground = base && points.get(base.id);
    return runs.flatMap((look): Told[] => {
      const own = points.get(look.id);
      if (!own) return [];
      const shown = ground ? difference(own, ground, smoothingOf(card, view)) : own;
      const dress = dressOf(look, card.length > 1 && margins === null ? place : null);
      const series = { ...shown, ...dress, ...named(look, tag.tag, names[place]) };
      return [{ tag: tag.tag, series }];
    });
  });
  return margins === null ? lines.map(({ series }) => series) : banded(lines, margins);
}

function dressOf(look: RunLook, place: number | null): Pick<ChartSeries, "color" | "dash"> {
  return { color: colorOf(look, "light"), dash: dashLengths(place === null ? dashOf(look) : place % DASHES) };
}

function named(look: RunLook, tag: string, short: string | undefined): Pick<ChartSeries, "label" | "tag"> {
  return short === undefined ? { label: look.label } : { label: `${look.label} · ${short}`, tag };
}

function wantOf({ tag, runs }: TakenPart, asked: Omit<Want, "tag" | "runs" | "groups">): Want {
  return {
    ...asked,
    tag: tag.tag,
    runs: runs.filter(({ members }) => members === null).map(({ id }) => id),
    groups: runs.flatMap(({ id, members }) => (members === null ? [] : [{ id, runs: members }])),
  };
}

/** Resolves when everything wanted is there. */
function pointsOf(feed: Feed, want: Want, signal: AbortSignal): Promise<ReadonlyMap<number, Points>> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // What is at hand is delivered before there is a subscription to close.
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

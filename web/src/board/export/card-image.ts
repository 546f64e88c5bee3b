/** A card as SVG or PNG: drawn as on the page, but in the light theme. */

import { type ChartModel, readSchemeTheme } from "../../chart";
import { type ExportOptions, exportImage, exportSvg } from "../../chart/export";
import { say } from "../../i18n/words";
import { shortNames } from "../../lib/short-names";
import { chartWords } from "../cards/chart-words";
import { MAX_PX } from "../data/feed";
import { feed } from "../data/session";
import { sharedByRuns } from "../runs/run-labels";
import { choiceOf } from "../view/cards";
import type { View } from "../view/view-state";
import { boxOf } from "../view/zoom";
import { baselineOf, type ExportCard, linesOf, marginsOf, smoothingOf, tagOf } from "./export-card";

const SIZE = { width: 720, height: 360 };
/** Width in pixels for an image with a pixel ratio of two. */
const PX = 2 * SIZE.width;

interface PictureModel {
  model: ChartModel;
  options: ExportOptions;
}

export async function svgOf(card: ExportCard, view: View, signal: AbortSignal): Promise<string> {
  const { model, options } = await modelOf(card, view, signal);
  return exportSvg(model, options);
}

export async function pngOf(card: ExportCard, view: View, signal: AbortSignal): Promise<Blob> {
  const { model, options } = await modelOf(card, view, signal);
  return exportImage(model, options);
}

async function modelOf(card: ExportCard, view: View, signal: AbortSignal): Promise<PictureModel> {
  const tags = card.map(({ tag }) => tag.tag);
  const { common, each } = shortNames(tags);
  const several = tags.length > 1 && marginsOf(card) === null;
  const choice = choiceOf(view, tagOf(card));
  const logX = choice.logX ?? view.logX;
  const series = await linesOf(card, view, several ? each : [], feed, logX ? MAX_PX : PX, signal);
  const box = boxOf(view, tagOf(card));
  const xRange = box?.x ?? view.zoom;
  const yRange = box?.y ?? choice.y;
  const theme = readSchemeTheme("light");
  const model: ChartModel = {
    series,
    axis: view.axis,
    xRange: xRange ? [xRange[0], xRange[1]] : null,
    yRange: yRange ? [yRange[0], yRange[1]] : null,
    logY: choice.logY ?? view.logY,
    logX,
    ignoreOutliers: choice.ignoreOutliers ?? view.ignoreOutliers,
    smoothing: smoothingOf(card, view),
    highlighted: null,
    theme,
    words: chartWords(),
  };
  const title = card[0]!.custom?.title ?? (several ? tags.join(", ") : card[0]!.tag.display_name || tags[0]!);
  const options: ExportOptions = {
    size: SIZE,
    theme,
    title,
    subtitle: subtitleOf(card, view),
    xName: xName(view),
    yName: lastPart(several ? common || tags[0]! : tags[0]!),
  };
  return { model, options };
}

const STATISTICS = { mean: "take.mean", median: "take.median" } as const;
const BANDS = { sd: "take.band.sd", se: "take.band.se", minmax: "take.band.minmax" } as const;

/** What is needed to read the chart, if anything. */
function subtitleOf(card: ExportCard, view: View): string {
  const weight = smoothingOf(card, view);
  const run = baselineOf(card, view);
  const grouped = card.some(({ runs }) => runs.some(({ members }) => members !== null));
  const { statistic = "mean", band = "none" } = view.grouping ?? {};
  return [
    grouped ? null : sharedByRuns() || null,
    grouped ? say(STATISTICS[statistic]) : null,
    grouped && band !== "none" ? say(BANDS[band]) : null,
    weight > 0 ? say("take.smoothed", { weight }) : null,
    run === null ? null : say("take.difference", { run }),
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

function xName({ axis, xTag }: View): string {
  return axis === "tag" ? xTag : say(`axis.${axis}`);
}

function lastPart(tag: string): string {
  return tag.split("/").at(-1) || tag;
}

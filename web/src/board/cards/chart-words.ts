/** The words that a chart writes itself, in the language of the page. */

import type { ChartWords } from "../../chart";
import { say } from "../../i18n/words";

export function chartWords(): ChartWords {
  return {
    above: (points) => say("chart.above", { points }),
    below: (points) => say("chart.below", { points }),
    notPositive: (points) => say("chart.notPositive", { points }),
    wheelHint: say("chart.wheelHint"),
  };
}

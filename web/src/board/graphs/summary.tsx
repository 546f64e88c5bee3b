/** The panel while nothing is selected: the graph as a whole. */

import type { GraphSummary } from "../../api/graphs";
import { bytes, count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Ops } from "./details";
import type { RunGraph } from "./graph-data";
import side from "./side.module.css";

/** The names of formats, which are the same in all languages. */
const FORMATS = {
  onnx: "ONNX",
  graph_def: "TensorFlow GraphDef",
  saved_model: "TensorFlow SavedModel",
  model_explorer: "Model Explorer",
  torch_export: "torch.export",
  stablehlo: "StableHLO",
  hlo: "HLO",
};

export function Summary({ graph, summary }: { graph: RunGraph; summary: GraphSummary | undefined }) {
  const say = useWords();
  const facts: [string, string][] = [];
  if (summary) {
    facts.push([say("graphs.nodeCount"), count(summary.nodes)], [say("graphs.edges"), count(summary.edges)]);
    if (summary.scopes > 0) facts.push([say("graphs.scopes"), count(summary.scopes)]);
    if (summary.functions > 0) facts.push([say("graphs.functions"), count(summary.functions)]);
    if (summary.parameters !== null) facts.push([say("graphs.parameters"), count(summary.parameters)]);
    if (summary.devices.length > 0) facts.push([say("graphs.devices"), summary.devices.join(", ")]);
    const { format, size } = graph.info;
    if (format !== "events") facts.push([say("graphs.format"), FORMATS[format]]);
    facts.push([say(format === "events" ? "graphs.size" : "graphs.fileSize"), bytes(size)]);
    facts.push(...summary.metadata.map(({ name, value }): [string, string] => [name, value]));
  }
  return (
    <section className={side.part} aria-label={say("graphs.side")} data-testid="graph-summary">
      <h2 className={side.title}>{graph.info.tag || graph.run}</h2>
      <dl className={side.facts}>
        {facts.map(([name, value]) => (
          <div key={`${name} ${value}`} className={side.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {summary && <Ops ops={summary.ops} />}
      <p className={side.note}>{say("graphs.hint")}</p>
    </section>
  );
}

/** A file with values for nodes, opened on the page: what is known of it, and the colours it gives. */

import { useMemo, useRef } from "react";
import { fetchMissing, type GraphBox } from "../../api/graphs";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { notify } from "../view/notice";
import type { Picture } from "./geometry/picture";
import { type GraphName, showGraphs, useMembers } from "./graph-data";
import { type BoxData, BoxValues, type NodeData, NodeDataFault, parseNodeData } from "./node-data";
import side from "./side.module.css";

export interface DataFile {
  name: string;
  data: NodeData;
  values: BoxValues;
  /** How many of its nodes the graph does not have. */
  missing: number;
}

const isColor = (text: string) => CSS.supports("color", text);

/** Opens a file for a graph. Says why if it is none, or is about another graph. */
async function openDataFile(graph: GraphName, file: File): Promise<DataFile | null> {
  const { name } = file;
  try {
    const data = parseNodeData(await file.text(), isColor);
    const missing = await fetchMissing(graph, [...data.values.keys()]);
    if (missing.length === data.values.size) {
      notify("graphs.data.otherGraph", { name, node: missing[0] ?? "" });
      return null;
    }
    return { name, data, values: new BoxValues(data), missing: missing.length };
  } catch (fault) {
    if (fault instanceof NodeDataFault) notify(fault.word, { name });
    else notify("graphs.failed", { why: fault instanceof Error ? fault.message : String(fault) });
    return null;
  }
}

interface OpenButtonProps {
  graph: GraphName;
  onOpen(file: DataFile): void;
}

export function OpenDataButton({ graph, onOpen }: OpenButtonProps) {
  const say = useWords();
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    const opened = file && (await openDataFile(graph, file));
    if (!opened) return;
    onOpen(opened);
    showGraphs({ color: "data" });
  };
  return (
    <>
      <Button icon="folder" label={say("graphs.data.open")} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        data-testid="graph-data-input"
        onChange={(event) => {
          void read(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </>
  );
}

export function DataFilePart({ file, onClose }: { file: DataFile; onClose(): void }) {
  const say = useWords();
  return (
    <section className={side.part} aria-label={say("graphs.data")} data-testid="graph-data">
      <div className={side.head}>
        <h2 className={side.title}>{file.name}</h2>
        <Button
          size="small"
          variant="quiet"
          icon="close"
          label={say("graphs.data.close")}
          onClick={onClose}
        />
      </div>
      <p className={side.note}>
        {say("graphs.data.nodes", { count: file.data.values.size - file.missing })}
        {file.missing > 0 && ` ${say("graphs.data.missing", { count: file.missing })}`}
      </p>
    </section>
  );
}

/** The values of boxes; those of a stack are of its members, which are fetched. */
export function useBoxData(
  graph: GraphName,
  picture: Picture | null,
  file: DataFile | null,
): (box: GraphBox) => BoxData | null {
  const stacks = useMemo(
    () =>
      file && picture
        ? picture.boxes
            .filter(({ box }) => box.kind === "stack" || box.kind === "rest")
            .map(({ box }) => box.path)
        : [],
    [file, picture],
  );
  const members = useMembers(graph, stacks);
  return useMemo(
    () => (box) => file?.values.of(members.get(box.path) ?? [box.path]) ?? null,
    [file, members],
  );
}

/** A value as it is shown. */
export function dataText({ value }: BoxData): string {
  if (typeof value !== "number") return value ?? "–";
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));
}

/** The panel of the selected box: what it is, what it is connected to, and its attributes. */

import type { ReactNode } from "react";
import type { GraphBox, NodeDetails, NodeEnd } from "../../api/graphs";
import { bytes, count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Breakable } from "../../ui/breakable";
import { Button } from "../../ui/button";
import { copyWithNotice } from "../view/copy-with-notice";
import type { PlacedBox } from "./geometry/picture";
import { type GraphName, useNode } from "./graph-data";
import side from "./side.module.css";

interface DetailsProps {
  graph: GraphName;
  /** The path of the node described: of a stack, that of a member. */
  path: string;
  /** The box in the picture; null if it is not shown. */
  placed: PlacedBox | null;
  /** Its value in a file of the user; null if there is none. */
  value: string | null;
  onJump(path: string): void;
  onToggle(placed: PlacedBox): void;
  onMember(placed: PlacedBox, member: number): void;
}

export function Details({ graph, path, placed, value, onJump, onToggle, onMember }: DetailsProps) {
  const say = useWords();
  const { data, error, refetch } = useNode(graph, path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    <section
      className={side.part}
      aria-label={say("graphs.side")}
      data-testid="graph-details"
      data-path={path}
    >
      <div className={side.head}>
        <h2 className={side.title}>
          <Breakable>{data?.label || name}</Breakable>
        </h2>
        <Button
          size="small"
          variant="quiet"
          icon="copy"
          label={say("graphs.copyPath")}
          onClick={() => void copyWithNotice(path)}
        />
      </div>
      <p className={side.note}>
        <Breakable>{path}</Breakable>
      </p>
      {placed?.box.opens && (
        <div className={side.actions}>
          <Button size="small" onClick={() => onToggle(placed)}>
            {say(placed.open ? "graphs.close" : "graphs.open")}
          </Button>
        </div>
      )}
      {placed?.member !== null && placed !== null && placed !== undefined && (
        <MemberSlider placed={placed} member={placed.member} onMember={onMember} />
      )}
      {error && (
        <div role="alert" className={side.fault}>
          <p>{error.message}</p>
          <Button size="small" icon="reload" onClick={() => void refetch()}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {data && (
        <>
          <Facts node={data} box={placed?.box ?? null} value={value} />
          <Ends title={say("graphs.inputs")} ends={data.inputs} total={data.input_count} onJump={onJump} />
          <Ends title={say("graphs.outputs")} ends={data.outputs} total={data.output_count} onJump={onJump} />
          <Attributes node={data} />
          <Ops ops={data.ops} />
        </>
      )}
    </section>
  );
}

function MemberSlider({
  placed,
  member,
  onMember,
}: Pick<DetailsProps, "onMember"> & { placed: PlacedBox; member: number }) {
  const say = useWords();
  const most = placed.box.members - 1;
  return (
    <label className={side.slider}>
      {say("graphs.member")}
      <input
        type="range"
        min={0}
        max={most}
        value={member}
        aria-valuetext={say("graphs.memberOf", { at: count(member + 1), of: count(most + 1) })}
        onChange={(event) => onMember(placed, Number(event.target.value))}
      />
      <output>{count(member + 1)}</output>
    </label>
  );
}

function Facts({ node, box, value }: { node: NodeDetails; box: GraphBox | null; value: string | null }) {
  const say = useWords();
  const time = node.time === null ? null : Number(node.time);
  const facts: [string, ReactNode][] = [];
  if (value !== null) facts.push([say("graphs.data"), value]);
  if (node.op) facts.push([say("graphs.op"), node.op]);
  if (node.nodes > 1) facts.push([say("graphs.nodeCount"), count(node.nodes)]);
  if (box && box.members > 1) facts.push([say("graphs.members"), count(box.members)]);
  if (node.parameters !== null) facts.push([say("graphs.parameters"), count(node.parameters)]);
  if (node.memory !== null) facts.push([say("graphs.memory"), bytes(node.memory)]);
  if (time !== null) facts.push([say("graphs.time"), formatMicroseconds(time)]);
  if (node.device) facts.push([say("graphs.device"), node.device]);
  if (node.source) facts.push([say("graphs.source"), node.source]);
  if (facts.length === 0) return null;
  return (
    <dl className={side.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={side.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Ends({
  title,
  ends,
  total,
  onJump,
}: {
  title: string;
  ends: readonly NodeEnd[];
  total: number;
  onJump(path: string): void;
}) {
  const say = useWords();
  if (total === 0) return null;
  return (
    <div>
      <h3 className={side.sub}>
        {title} <span className={side.number}>{count(total)}</span>
      </h3>
      <ul className={side.list}>
        {ends.map(({ path, op, shape, control }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a node may be there more than once
          <li key={`${path} ${at}`}>
            <button type="button" className={side.item} title={path} onClick={() => onJump(path)}>
              <span className={side.path}>
                <Breakable>{path}</Breakable>
              </span>
              <span className={side.end}>{control ? say("graphs.control") : shape || op}</span>
            </button>
          </li>
        ))}
      </ul>
      {total > ends.length && (
        <p className={side.note}>{say("graphs.outOf", { shown: count(ends.length), total: count(total) })}</p>
      )}
    </div>
  );
}

function Attributes({ node }: { node: NodeDetails }) {
  const say = useWords();
  if (node.attributes.length === 0) return null;
  return (
    <div>
      <h3 className={side.sub}>{say("graphs.attributes")}</h3>
      <dl className={side.facts}>
        {node.attributes.map(({ name, value, size, cut }) => (
          <div key={name} className={side.fact}>
            <dt title={name}>{name}</dt>
            <dd className={side.value}>
              {value}
              {cut && <span className={side.note}> … {say("graphs.cut", { size: bytes(size) })}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

export function Ops({ ops }: { ops: NodeDetails["ops"] }) {
  const say = useWords();
  const most = ops[0]?.count ?? 0;
  if (ops.length < 2) return null;
  return (
    <div>
      <h3 className={side.sub}>{say("graphs.ops")}</h3>
      <ul className={side.bars}>
        {ops.slice(0, MAX_OPS).map(({ op, count: times }) => (
          <li key={op} className={side.bar}>
            <span className={side.label}>{op}</span>
            <span className={side.share} aria-hidden="true">
              <span style={{ width: `${(100 * times) / most}%` }} />
            </span>
            <span className={side.end}>{count(times)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const MAX_OPS = 12;

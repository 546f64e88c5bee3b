/**
 * The state of the projector as one value of the address: `tensor=words;method=umap;dims=3;color=label`. Only what
 * differs from the defaults is written; invalid parts take their defaults. Pure.
 */

import { flag, inner, number, parseFields } from "./view-codec";

export const METHODS = ["pca", "umap", "tsne", "custom"] as const;
export type Method = (typeof METHODS)[number];
export const MARKS = ["points", "labels", "images"] as const;
export type Marks = (typeof MARKS)[number];

/** The ends of the axes of a custom projection: the labels at the left, right, top and bottom. */
export const ENDS = ["left", "right", "up", "down"] as const;
export type End = (typeof ENDS)[number];

export interface ProjectorView {
  /** Names of the run and the tensor; both empty for the first tensor. */
  run: string;
  tensor: string;
  method: Method;
  dims: 2 | 3;
  /** Components of PCA on x, y and z, from 0. */
  components: readonly [number, number, number];
  neighbors: number;
  minDist: number;
  perplexity: number;
  learningRate: number;
  /** Center all points and scale them to length 1. */
  spherize: boolean;
  ends: Readonly<Record<End, string>>;
  /** The column to colour by: null chooses one, "" is none. */
  color: string | null;
  /** The column with the labels; null chooses one. */
  label: string | null;
  marks: Marks;
}

export const DEFAULT_PROJECTOR: ProjectorView = {
  run: "",
  tensor: "",
  method: "pca",
  dims: 2,
  components: [0, 1, 2],
  neighbors: 15,
  minDist: 0.1,
  perplexity: 30,
  learningRate: 0,
  spherize: false,
  ends: { left: "", right: "", up: "", down: "" },
  color: null,
  label: null,
  marks: "points",
};

export const MAX_COMPONENTS = 10;
/** The limits of each number; a learning rate of 0 leaves it to the method. */
export const LIMITS = {
  neighbors: [2, 200],
  minDist: [0, 0.99],
  perplexity: [2, 200],
  learningRate: [0, 100_000],
} as const;
type Limited = keyof typeof LIMITS;

export function printProjector(view: ProjectorView): string {
  const usual = DEFAULT_PROJECTOR;
  const parts: string[] = [];
  const add = (name: string, value: unknown, is: unknown) => {
    if (String(value) !== String(is)) parts.push(`${name}=${inner(String(value))}`);
  };
  add("run", view.run, usual.run);
  add("tensor", view.tensor, usual.tensor);
  add("method", view.method, usual.method);
  add("dims", view.dims, usual.dims);
  add("components", view.components.join(":"), usual.components.join(":"));
  for (const name of Object.keys(LIMITS) as Limited[]) add(name, view[name], usual[name]);
  add("spherize", view.spherize, usual.spherize);
  for (const end of ENDS) add(end, view.ends[end], "");
  if (view.color !== null) parts.push(`color=${inner(view.color)}`);
  if (view.label !== null) parts.push(`label=${inner(view.label)}`);
  add("marks", view.marks, usual.marks);
  return parts.join(";");
}

export function parseProjector(text: string): ProjectorView | undefined {
  const fields = parseFields(text);
  const usual = DEFAULT_PROJECTOR;
  const word = (name: string, is = "") => fields.get(name) ?? is;
  const limited = (name: Limited) => within(number(word(name)), LIMITS[name]) ?? usual[name];
  return {
    run: word("run"),
    tensor: word("tensor"),
    method: METHODS.find((method) => method === fields.get("method")) ?? usual.method,
    dims: fields.get("dims") === "3" ? 3 : 2,
    components: parseComponents(word("components")) ?? usual.components,
    neighbors: limited("neighbors"),
    minDist: limited("minDist"),
    perplexity: limited("perplexity"),
    learningRate: limited("learningRate"),
    spherize: flag(word("spherize")) ?? usual.spherize,
    ends: { left: word("left"), right: word("right"), up: word("up"), down: word("down") },
    color: fields.get("color") ?? null,
    label: fields.get("label") ?? null,
    marks: MARKS.find((marks) => marks === fields.get("marks")) ?? usual.marks,
  };
}

function within(value: number | undefined, [least, most]: readonly [number, number]): number | undefined {
  return value !== undefined && value >= least && value <= most ? value : undefined;
}

function parseComponents(text: string): ProjectorView["components"] | undefined {
  const [x, y, z, ...rest] = text.split(":").map((part) => within(number(part), [0, MAX_COMPONENTS - 1]));
  const whole = [x, y, z].every((part) => Number.isInteger(part)) && rest.length === 0;
  return whole ? [x!, y!, z!] : undefined;
}

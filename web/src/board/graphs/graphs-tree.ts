/** The open scopes of a graph inside one another: what of it is shown, and what of that still has to be fetched. Pure. */

import type { GraphBox, GraphScope } from "../../api/graphs";

export interface OpenScope {
  /** The path of its contents: for a stack, that of the member shown. */
  path: string;
  scope: GraphScope;
  /** By the indices of the boxes that are open. */
  open: ReadonlyMap<number, OpenBox>;
}

export interface OpenBox {
  /** The member shown; null if the box is no stack. */
  member: number | null;
  inside: OpenScope;
}

export interface TreeSource {
  /** Paths of the open boxes; null opens what fits. */
  open: readonly string[] | null;
  members: Readonly<Record<string, number>>;
  /** Null if it is not here yet. */
  scopeAt(path: string): GraphScope | null;
  /** The path of a member of a stack; null if it is not here yet. */
  memberAt(stack: string, member: number): string | null;
}

export interface Tree {
  /** Null until everything that is open is here. */
  root: OpenScope | null;
  /** Paths of the boxes that are open. */
  open: readonly string[];
  missingScopes: readonly string[];
  missingMembers: readonly { stack: string; member: number }[];
  /** The number of boxes to be drawn. */
  boxes: number;
}

/** A graph with at most so many nodes is shown as a whole. */
const SMALL_GRAPH = 24;
/** A scope with at most so many nodes beside it is around everything. */
const MAX_BESIDE = 4;
const MAX_DEPTH = 100;
/** Scopes that open by themselves inside one another: more of them cost seconds, and none says more than the one around it. */
const MAX_OPENED = 8;

export function treeOf(source: TreeSource): Tree {
  return new TreeWalk(source).tree();
}

class TreeWalk {
  readonly #source: TreeSource;
  readonly #isOpen: ((path: string) => boolean) | null;
  readonly #open: string[] = [];
  readonly #missingScopes: string[] = [];
  readonly #missingMembers: { stack: string; member: number }[] = [];
  #boxes = 0;
  #small = false;

  constructor(source: TreeSource) {
    this.#source = source;
    const paths = source.open === null ? null : new Set(source.open);
    this.#isOpen = paths && ((path) => paths.has(path));
  }

  tree(): Tree {
    const whole = this.#source.scopeAt("");
    this.#small = whole !== null && whole.boxes.reduce((sum, { nodes }) => sum + nodes, 0) <= SMALL_GRAPH;
    const root = this.#inside("", 0);
    const complete = this.#missingScopes.length === 0 && this.#missingMembers.length === 0;
    return {
      root: complete ? root : null,
      open: this.#open,
      missingScopes: this.#missingScopes,
      missingMembers: this.#missingMembers,
      boxes: this.#boxes,
    };
  }

  #inside(path: string, depth: number): OpenScope | null {
    const scope = this.#source.scopeAt(path);
    if (scope === null) {
      this.#missingScopes.push(path);
      return null;
    }
    this.#boxes += scope.boxes.length;
    const open = new Map<number, OpenBox>();
    for (const [at, box] of scope.boxes.entries()) {
      if (!box.opens || depth >= MAX_DEPTH || !this.#opens(box, scope, depth)) continue;
      this.#open.push(box.path);
      const inside = this.#content(box, depth);
      if (inside) open.set(at, inside);
    }
    return { path, scope, open };
  }

  #opens(box: GraphBox, scope: GraphScope, depth: number): boolean {
    if (this.#isOpen) return this.#isOpen(box.path);
    return depth < MAX_OPENED && (this.#small || opensByItself(box, scope));
  }

  #content(box: GraphBox, depth: number): OpenBox | null {
    if (box.kind !== "stack") {
      const inside = this.#inside(box.path, depth + 1);
      return inside && { member: null, inside };
    }
    const member = Math.min(this.#source.members[box.path] ?? 0, Math.max(0, box.members - 1));
    const path = member === 0 ? box.path : this.#source.memberAt(box.path, member);
    if (path === null) {
      this.#missingMembers.push({ stack: box.path, member });
      return null;
    }
    const inside = this.#inside(path, depth + 1);
    return inside && { member, inside };
  }
}

/** A scope around all but a few nodes, such as the inputs and outputs of torch, says nothing while it is closed. */
function opensByItself(box: GraphBox, { boxes }: GraphScope): boolean {
  if (box.kind === "stack") return false;
  const others = boxes.filter(({ kind }) => kind !== "constant" && kind !== "variable" && kind !== "input");
  const beside = others.reduce((sum, each) => (each === box ? sum : sum + each.nodes), 0);
  return beside <= MAX_BESIDE && box.nodes > MAX_BESIDE && others.includes(box);
}

/** All open scopes, from the outermost. */
export function* scopesIn(root: OpenScope): Generator<OpenScope> {
  yield root;
  for (const { inside } of root.open.values()) yield* scopesIn(inside);
}

/** Actions on a resource: shown at once, reverted if refused, one at a time. */

import { create } from "zustand";
import { endSession } from "./queries";
import type { ResourceCache } from "./resource-cache";

/** Ids of resources with an action in progress: a second click does nothing. */
export const useBusy = create<{ ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }));

/** Sends an action on a resource, which is shown in the status it will have; null shows no other. */
export async function runAction<Item extends { id: string; version: number; status: string }>(
  cache: ResourceCache<Item>,
  item: Item,
  status: Item["status"] | null,
  send: () => Promise<unknown>,
): Promise<void> {
  const { id } = item;
  if (useBusy.getState().ids.has(id)) return;
  useBusy.setState(({ ids }) => ({ ids: new Set(ids).add(id) }));
  if (status) cache.update(id, (shown) => ({ ...shown, status, reason: "", message: "" }));
  try {
    await send();
  } catch (fault) {
    cache.update(id, (shown) => (shown.version > item.version ? shown : item));
    endSession(fault);
    cache.refreshListsSoon();
    throw fault;
  } finally {
    useBusy.setState(({ ids }) => ({ ids: new Set([...ids].filter((each) => each !== id)) }));
  }
}

/** One observer of a query for all components that read it. */

import {
  type DefaultError,
  notifyManager,
  type QueryClient,
  QueryObserver,
  type QueryObserverOptions,
} from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

/** What a query has: the last data, and the error if it failed since. */
export interface QueryState<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
}

type Options<Data> = QueryObserverOptions<Data, DefaultError, Data, Data, readonly string[]>;

export interface SharedQuery<Data> {
  /** The same object until the data or the error is another. */
  read(): QueryState<Data>;
  /** Calls `onChange` when that may have happened. The first subscriber makes the query fetch what it lacks. */
  subscribe(onChange: () => void): () => void;
}

/**
 * A query that many components read. `useQuery` makes an observer in each and updates its options at each render: a page
 * of six cards had two hundred of them, which took a twentieth of the processor time of opening it.
 */
export function shareQuery<Data>(client: QueryClient, options: Options<Data>): SharedQuery<Data> {
  let observer: QueryObserver<Data, DefaultError, Data, Data, readonly string[]> | undefined;
  let last: QueryState<Data> = { data: undefined, error: null };
  const observed = () => {
    observer ??= new QueryObserver(client, options);
    return observer;
  };
  return {
    read() {
      const each = observed();
      // Without a subscriber it does not follow the query.
      const { data, error } = each.hasListeners()
        ? each.getCurrentResult()
        : each.getOptimisticResult(client.defaultQueryOptions(options));
      if (data !== last.data || error !== last.error) last = { data, error };
      return last;
    },
    subscribe(onChange) {
      const each = observed();
      // The cache may have dropped the query while nobody read it.
      if (!each.hasListeners()) each.setOptions(options);
      return each.subscribe(notifyManager.batchCalls(onChange));
    },
  };
}

export function useSharedQuery<Data>({ read, subscribe }: SharedQuery<Data>): QueryState<Data> {
  return useSyncExternalStore(subscribe, read);
}

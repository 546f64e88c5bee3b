import { QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { shareQuery } from "./shared-query";

const KEY = ["numbers"] as const;

/** A query whose answers the test gives, and how often it was asked. */
function scripted(...answers: (number | Error)[]) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  onTestFinished(() => client.clear());
  const ask = vi.fn(async () => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { client, ask, shared: shareQuery<number>(client, { queryKey: KEY, queryFn: ask }) };
}

test("the first subscriber makes it fetch, and the next ones read what it has", async () => {
  const { ask, shared } = scripted(1);

  const ends = [shared.subscribe(() => {}), shared.subscribe(() => {})];

  await vi.waitFor(() => expect(shared.read()).toEqual({ data: 1, error: null }));
  expect(ask).toHaveBeenCalledTimes(1);
  for (const end of ends) end();
});

test("before anyone subscribes it reads what the cache has, and fetches nothing", () => {
  const { client, ask, shared } = scripted();
  client.setQueryData(KEY, 7);

  expect(shared.read()).toEqual({ data: 7, error: null });
  expect(ask).not.toHaveBeenCalled();
});

test("the state is the same object until the data is another", async () => {
  const { client, shared } = scripted(1);
  const end = shared.subscribe(() => {});
  await vi.waitFor(() => expect(shared.read().data).toBe(1));
  const before = shared.read();

  client.setQueryData(KEY, 1);
  expect(shared.read()).toBe(before);
  client.setQueryData(KEY, 2);
  expect(shared.read()).toEqual({ data: 2, error: null });
  end();
});

test("each subscriber is told of a change", async () => {
  const { client, shared } = scripted(1);
  const [first, second] = [vi.fn(), vi.fn()];
  const ends = [shared.subscribe(first), shared.subscribe(second)];
  await vi.waitFor(() => expect(shared.read().data).toBe(1));
  for (const each of [first, second]) each.mockClear();

  client.setQueryData(KEY, 2);

  await vi.waitFor(() => expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]));
  for (const end of ends) end();
});

test("a failure leaves the data, and a later answer takes the error away", async () => {
  const failure = new Error("away");
  const { client, shared } = scripted(1, failure, 3);
  const end = shared.subscribe(() => {});
  await vi.waitFor(() => expect(shared.read().data).toBe(1));

  await client.invalidateQueries({ queryKey: KEY });
  expect(shared.read()).toEqual({ data: 1, error: failure });
  await client.invalidateQueries({ queryKey: KEY });
  expect(shared.read()).toEqual({ data: 3, error: null });
  end();
});

test("it follows the cache again after the query was dropped from it", async () => {
  const { client, shared } = scripted(1, 2);
  shared.subscribe(() => {})();
  await vi.waitFor(() => expect(shared.read().data).toBe(1));
  client.clear();

  const end = shared.subscribe(() => {});

  await vi.waitFor(() => expect(shared.read().data).toBe(2));
  client.setQueryData(KEY, 5);
  expect(shared.read().data).toBe(5);
  end();
});

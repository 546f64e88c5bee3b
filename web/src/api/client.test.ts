import { afterEach, expect, test, vi } from "vitest";
import { getJson, mediaUrl } from "./client";

afterEach(() => vi.unstubAllGlobals());

function stubFetch() {
  const fetched = vi.fn<typeof fetch>(async () => new Response("{}"));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

test("a read is a GET with its query in the address", async () => {
  const fetched = stubFetch();

  await getJson("text/value?tag=loss");

  expect(fetched.mock.calls[0]?.[0]).toBe("api/v1/text/value?tag=loss");
  expect(fetched.mock.calls[0]?.[1]?.method).toBeUndefined();
});

test("a query that is too long for an address goes as a body that means GET", async () => {
  const fetched = stubFetch();
  const query = new URLSearchParams({ tag: "t".repeat(65_536) }).toString();

  await getJson(`text/value?${query}`);

  const [address, init] = fetched.mock.calls[0]!;
  expect(address).toBe("api/v1/text/value");
  expect(init).toMatchObject({
    method: "POST",
    body: query,
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      "x-http-method-override": "GET",
    },
  });
});

test("bytes have their names in the address, or a digest of names that are too long for one", () => {
  const long = new URLSearchParams({ run: "r", tag: "t".repeat(65_536), at: "1.a" });

  expect(mediaUrl("images/data", new URLSearchParams({ run: "r", tag: "t" }))).toBe(
    "api/v1/images/data?run=r&tag=t",
  );
  expect(mediaUrl("images/data", long)).toBe("api/v1/images/data?at=1.a&of=d5e35ae4a9ed6b3885ee08161b2fcdda");
});

import { expect, test } from "vitest";
import { jobRequestOf, requestOf } from "./filters";

const requestFor = (query: string) => requestOf(new URLSearchParams(query), 7_210_000);

test("words of the address become what the server understands", () => {
  expect(requestFor("status=failed&owner=me&search=%20lm%20&kind=tensorboard&lang=ru")).toBe(
    "search=lm&status=Failed%2CCreating_Failed&owner=me",
  );
});

test("an age is a moment, the same for an hour", () => {
  expect(requestFor("created=day")).toBe("created_after=7120800");
});

test("what is not known is not asked", () => {
  expect(requestFor("status=odd&created=never")).toBe("");
});

test("active jobs have not ended", () => {
  const query = new URLSearchParams("kind=jobs&status=active&owner=me&origin=cli&created=day");
  const request = "status=Queued%2CStarting%2CRunning%2CRestarting%2CPausing%2CPaused%2CStopping&owner=me";
  expect(jobRequestOf("job", query)).toBe(`${request}&metrics=*`);
  expect(jobRequestOf("notebook", query)).toBe(`${request}&kind=notebook`);
});

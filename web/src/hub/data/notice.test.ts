import { afterEach, expect, test } from "vitest";
import { ApiError } from "../../api/client";
import { type Language, speak } from "../../i18n/words";
import { errorText } from "./notice";

afterEach(() => speak("en"));

const DENIED = new ApiError(403, "permission_denied", "a viewer may not stop it", "ask its owner");

test.each<[Language, string]>([
  ["en", "a viewer may not stop it. ask its owner"],
  ["zh", "没有权限：a viewer may not stop it. ask its owner"],
  ["ru", "Недостаточно прав: a viewer may not stop it. ask its owner"],
])("a refusal says its kind in %s", async (language, text) => {
  await speak(language);
  expect(errorText(DENIED)).toBe(text);
});

test("an unknown code is told in the words of the server", async () => {
  await speak("zh");
  expect(errorText(new ApiError(418, "teapot", "no coffee"))).toBe("no coffee");
});

test("a server that does not answer is told in the language of the page", async () => {
  await speak("ru");
  expect(errorText(new ApiError(0, "unreachable", "fetch failed"))).toBe("Сервер не отвечает");
});

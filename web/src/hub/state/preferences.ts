/** Theme and language of this browser, shared with the boards; the account's language where none was chosen here. */

import { create } from "zustand";
import { keep, kept, LANGUAGE_KEY, THEME_KEY } from "../../base/kept";
import { onSystemShade, shadeOf, showShade, type Theme } from "../../base/shade";
import { browserLanguage, type Language, speak } from "../../words/words";

const THEMES = ["light", "dark"] as const;
const LANGUAGES = ["en", "zh", "ru"] as const;

interface Preferences {
  theme: Theme;
  /** Null follows the account, then the browser. */
  language: Language | null;
  ofAccount: Language | null;
}

export const usePreferences = create<Preferences>()(() => ({
  theme: asked("darkMode", ["true", "false"])
    ? asked("darkMode", ["true"])
      ? "dark"
      : "light"
    : (kept(THEME_KEY, THEMES) ?? "system"),
  language: asked("lang", LANGUAGES) ?? kept(LANGUAGE_KEY, LANGUAGES),
  ofAccount: null,
}));

export function chooseTheme(theme: Theme): void {
  keep(THEME_KEY, theme === "system" ? null : theme);
  usePreferences.setState({ theme });
}

export function chooseLanguage(language: Language): void {
  keep(LANGUAGE_KEY, language);
  usePreferences.setState({ language });
}

/** `language` "" is none. */
export function followAccount(language: string): void {
  usePreferences.setState({ ofAccount: LANGUAGES.find((each) => each === language) ?? null });
}

export function languageNow({ language, ofAccount }: Preferences): Language {
  return language ?? ofAccount ?? browserLanguage();
}

/** Keeps the page equal to what was chosen. Settles when the first words are there. */
export function followPreferences(): Promise<void> {
  const shade = () => showShade(shadeOf(usePreferences.getState().theme));
  const words = () => speak(languageNow(usePreferences.getState())).catch(() => {});
  shade();
  onSystemShade(shade);
  usePreferences.subscribe((now, before) => {
    if (now.theme !== before.theme) shade();
    if (languageNow(now) !== languageNow(before)) void words();
  });
  return words();
}

function asked<Value extends string>(name: string, values: readonly Value[]): Value | null {
  const given = typeof location === "undefined" ? null : new URLSearchParams(location.search).get(name);
  return values.find((value) => value === given) ?? null;
}

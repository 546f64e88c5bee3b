/** Theme and language of this browser, shared with the boards; otherwise the account's language. */

import { create } from "zustand";
import { browserLanguage, type Language, speak } from "../../i18n/words";
import { applyColorScheme, onSystemColorScheme, resolveTheme, type Theme } from "../../lib/color-scheme";
import { LANGUAGE_KEY, storeChoice, storedChoice, THEME_KEY } from "../../lib/storage";

const THEMES = ["light", "dark"] as const;
const LANGUAGES = ["en", "zh", "ru"] as const;

interface Preferences {
  theme: Theme;
  /** Null uses that of the account, then of the browser. */
  language: Language | null;
  ofAccount: Language | null;
}

export const usePreferences = create<Preferences>()(() => ({
  theme: asked("darkMode", ["true", "false"])
    ? asked("darkMode", ["true"])
      ? "dark"
      : "light"
    : (storedChoice(THEME_KEY, THEMES) ?? "system"),
  language: asked("lang", LANGUAGES) ?? storedChoice(LANGUAGE_KEY, LANGUAGES),
  ofAccount: null,
}));

export function chooseTheme(theme: Theme): void {
  storeChoice(THEME_KEY, theme === "system" ? null : theme);
  usePreferences.setState({ theme });
}

export function chooseLanguage(language: Language): void {
  storeChoice(LANGUAGE_KEY, language);
  usePreferences.setState({ language });
}

/** `language` "" means none. */
export function followAccount(language: string): void {
  usePreferences.setState({ ofAccount: LANGUAGES.find((each) => each === language) ?? null });
}

export function languageNow({ language, ofAccount }: Preferences): Language {
  return language ?? ofAccount ?? browserLanguage();
}

/** Applies the preferences to the page. Resolves when the first catalog has loaded. */
export function followPreferences(): Promise<void> {
  const scheme = () => applyColorScheme(resolveTheme(usePreferences.getState().theme));
  const words = () => speak(languageNow(usePreferences.getState())).catch(() => {});
  scheme();
  onSystemColorScheme(scheme);
  usePreferences.subscribe((now, before) => {
    if (now.theme !== before.theme) scheme();
    if (languageNow(now) !== languageNow(before)) void words();
  });
  return words();
}

function asked<Value extends string>(name: string, values: readonly Value[]): Value | null {
  const fromAddress = typeof location === "undefined" ? null : new URLSearchParams(location.search).get(name);
  return values.find((value) => value === fromAddress) ?? null;
}

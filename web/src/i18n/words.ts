/**
 * Texts of the pages in three languages: ICU messages by id, with the plural rules of each language. Catalogs are
 * compiled at build time; English is always loaded, the others on demand. Measured values are not translated.
 */

import english from "words:en";
import { i18n, type Messages, setupI18n } from "@lingui/core";
import { useCallback, useSyncExternalStore } from "react";
import type catalog from "./en.json";

export type WordId = keyof typeof catalog;
export type Language = "en" | "zh" | "ru";
export type Say = (id: WordId, values?: Record<string, string | number>) => string;

/** Each language by its own name, in the order of the menu. */
export const LANGUAGES: readonly { language: Language; name: string }[] = [
  { language: "en", name: "English" },
  { language: "zh", name: "简体中文" },
  { language: "ru", name: "Русский" },
];

const LOADERS: Record<Language, () => Promise<{ default: Messages }>> = {
  en: async () => ({ default: english }),
  zh: () => import("words:zh"),
  ru: () => import("words:ru"),
};

/** Values of `<html lang>`: Chinese includes the script, so that fonts choose the right glyphs. */
const HTML_LANG: Record<Language, string> = { en: "en", zh: "zh-CN", ru: "ru" };

let wanted: Language = "en";
i18n.loadAndActivate({ locale: "en", messages: english });

/** The browser's preferred language, or English if it is not supported. */
export function browserLanguage(preferences: readonly string[] = navigator.languages): Language {
  for (const preference of preferences) {
    const match = LANGUAGES.find(({ language }) => preference.toLowerCase().startsWith(language));
    if (match) return match.language;
  }
  return "en";
}

/** Switches the language of the page. Keeps the current language if the catalog fails to load. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const { default: messages } = await LOADERS[language]();
  if (wanted !== language) return;
  i18n.loadAndActivate({ locale: language, messages });
  if (typeof document !== "undefined") document.documentElement.lang = HTML_LANG[language];
}

export function spoken(): Language {
  return i18n.locale as Language;
}

/** `say` in a language that need not be the page's: users type words that they know. */
export async function sayIn(language: Language): Promise<Say> {
  const { default: messages } = await LOADERS[language]();
  const own = setupI18n({ locale: language, messages: { [language]: messages } });
  return (id, values) => own._(id, values);
}

export const say: Say = (id, values) => i18n._(id, values);

/** Calls back after each change of language; returns a function that unsubscribes. */
export function onLanguage(callback: () => void): () => void {
  return i18n.on("change", callback);
}

/** `say` for components, which render again when the language changes. */
export function useWords(): Say {
  const locale = useSyncExternalStore(onLanguage, spoken);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function per language is the point
  return useCallback((id, values) => say(id, values), [locale]);
}

/**
 * The words of the pages in three languages: ICU messages by id, plural forms by the rules of each language.
 * Catalogs are compiled at build time; English is always at hand, the others are loaded when asked for.
 * Measured values do not pass through here: they read the same in every language.
 */

import english from "words:en";
import { i18n, type Messages, setupI18n } from "@lingui/core";
import { useCallback, useSyncExternalStore } from "react";
import type catalog from "./en.json";

export type WordId = keyof typeof catalog;
export type Language = "en" | "zh" | "ru";
export type Say = (id: WordId, values?: Record<string, string | number>) => string;

/** Each language under its own name, in the order of the menu. */
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

/** What `<html lang>` says: Chinese names its script, so that fonts choose the right forms. */
const HTML_LANG: Record<Language, string> = { en: "en", zh: "zh-CN", ru: "ru" };

let wanted: Language = "en";
i18n.loadAndActivate({ locale: "en", messages: english });

/** The language the browser asks for, English if it is none of ours. */
export function browserLanguage(preferences: readonly string[] = navigator.languages): Language {
  for (const preference of preferences) {
    const match = LANGUAGES.find(({ language }) => preference.toLowerCase().startsWith(language));
    if (match) return match.language;
  }
  return "en";
}

/** Switches every word on the page. Keeps the present language if the catalog cannot be loaded. */
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

/** `say` in a language that need not be the page's: people type the words they know. */
export async function sayIn(language: Language): Promise<Say> {
  const { default: messages } = await LOADERS[language]();
  const own = setupI18n({ locale: language, messages: { [language]: messages } });
  return (id, values) => own._(id, values);
}

export const say: Say = (id, values) => i18n._(id, values);

/** Calls back after each switch of language; returns the way to stop. */
export function onLanguage(callback: () => void): () => void {
  return i18n.on("change", callback);
}

/** `say` for components: they are drawn again when the language changes. */
export function useWords(): Say {
  const locale = useSyncExternalStore(onLanguage, spoken);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function per language is the point
  return useCallback((id, values) => say(id, values), [locale]);
}

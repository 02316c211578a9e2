import { effect, signal } from '@preact/signals';

const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

const STORED = 'traceflow-language';
const wanted = localStorage.getItem(STORED) ?? navigator.language;

export const language = signal<Language>(wanted.startsWith('ja') ? 'ja' : 'en');

export function showLanguage(): void {
  effect(() => {
    localStorage.setItem(STORED, language.value);
    document.documentElement.lang = language.value;
  });
}

/** The texts of one part of the console: two tables of one type; the result reads the one of the chosen language. */
export function inLanguages<Table>(tables: { en: Table; ja: NoInfer<Table> }): () => Table {
  return () => tables[language.value];
}

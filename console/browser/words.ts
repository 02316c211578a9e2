import { effect, signal } from '@preact/signals';
import * as enCodes from '../../words/en/codes.ts';
import * as enConsole from '../../words/en/console.ts';
import { requests as enRequests } from '../../words/en/reports.ts';
import * as esCodes from '../../words/es/codes.ts';
import * as esConsole from '../../words/es/console.ts';
import { requests as esRequests } from '../../words/es/reports.ts';
import { FORMS } from '../../words/figures.ts';
import * as jaCodes from '../../words/ja/codes.ts';
import * as jaConsole from '../../words/ja/console.ts';
import { requests as jaRequests } from '../../words/ja/reports.ts';
import { LANGUAGES, type Language } from '../../words/language.ts';

const en = { ...enCodes, ...enConsole, requests: enRequests };

/** All words that the console takes from a language. */
export type ConsoleWords = typeof en;

const WORDS: Record<Language, ConsoleWords> = {
  en,
  es: { ...esCodes, ...esConsole, requests: esRequests },
  ja: { ...jaCodes, ...jaConsole, requests: jaRequests },
};
const STORED = 'traceflow-language';
const wanted = localStorage.getItem(STORED) ?? navigator.language;

export const language = signal<Language>(LANGUAGES.find((one) => wanted.startsWith(one)) ?? 'en');

export function showLanguage(): void {
  effect(() => {
    localStorage.setItem(STORED, language.value);
    document.documentElement.lang = language.value;
  });
}

/** The words of the chosen language. */
export function words(): ConsoleWords {
  return WORDS[language.value];
}

/** A name before what it names: `Priority: High`, in Japanese with the full-width mark. */
export function labelled(label: string, value: string | number): string {
  return FORMS[language.value].labelled(label, value);
}

/** A title with a number or text in parentheses. */
export function bracketed(title: string, inside: string | number): string {
  return FORMS[language.value].bracketed(title, inside);
}

/** The separator of a list. */
export function comma(): string {
  return FORMS[language.value].comma;
}

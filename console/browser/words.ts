import { effect, signal } from '@preact/signals';
import { type ConsoleWords, enConsole } from '../../src/words/en/console/words.ts';
import { esConsole } from '../../src/words/es/console/words.ts';
import { FORMS } from '../../src/words/figures.ts';
import { jaConsole } from '../../src/words/ja/console/words.ts';
import { LANGUAGES, type Language } from '../../src/words/language.ts';

const WORDS: Record<Language, ConsoleWords> = { en: enConsole, es: esConsole, ja: jaConsole };
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

import { type ReadonlySignal, signal } from '@preact/signals';
import type * as codes from '../../words/en/codes.ts';
import type * as console from '../../words/en/console.ts';
import type { requests } from '../../words/en/reports.ts';
import { FORMS } from '../../words/figures.ts';
import { LANGUAGES, type Language } from '../../words/language.ts';

/** All words that the console takes from a language. */
export type ConsoleWords = ReturnType<typeof joined>;

/** A reader loads the words of one language: those of the three together are a third of the first load. */
const LOADS: Record<Language, () => Promise<ConsoleWords>> = {
  en: async () => {
    const [codes, console, requests] = await whole([
      import('../../words/en/codes.ts'),
      import('../../words/en/console.ts'),
      import('../../words/en/reports.ts').then(({ requests }) => requests),
    ]);
    return joined([codes, console], requests);
  },
  es: async () => {
    const [codes, console, requests] = await whole([
      import('../../words/es/codes.ts'),
      import('../../words/es/console.ts'),
      import('../../words/es/reports.ts').then(({ requests }) => requests),
    ]);
    return joined([codes, console], requests);
  },
  ja: async () => {
    const [codes, console, requests] = await whole([
      import('../../words/ja/codes.ts'),
      import('../../words/ja/console.ts'),
      import('../../words/ja/reports.ts').then(({ requests }) => requests),
    ]);
    return joined([codes, console], requests);
  },
};

/** Fails only once all have ended: a file that fails later would count as one of a page, and reload it. */
async function whole<A, B, C>(imports: [Promise<A>, Promise<B>, Promise<C>]): Promise<[A, B, C]> {
  await Promise.allSettled(imports);
  return Promise.all(imports);
}

const STORED = 'traceflow-language';
const stored = localStorage.getItem(STORED) ?? navigator.language;
const loaded = new Map<Language, ConsoleWords>();
const chosen = signal<Language>(LANGUAGES.find((one) => stored.startsWith(one)) ?? 'en');
/** The last choice, which holds whichever words come last. */
let wanted = chosen.value;

export const language: ReadonlySignal<Language> = chosen;

/** Shows the page in a language, once its words are here; it stays chosen. Where they do not come, the page stays as it was. */
export async function showLanguage(name: Language): Promise<void> {
  wanted = name;
  try {
    await show(name);
  } catch (error) {
    if (wanted !== name) return;
    wanted = chosen.value;
    throw error;
  }
  if (chosen.value === name) localStorage.setItem(STORED, name);
}

/** Shows the page in the reader's language; in English, for this time, where its words do not come. */
export async function showFirstLanguage(): Promise<void> {
  await show(wanted).catch(() => {
    wanted = 'en';
    return show(wanted);
  });
}

/** True while the words of a chosen language are on their way. */
export function isChoosingLanguage(): boolean {
  return wanted !== chosen.value;
}

async function show(name: Language): Promise<void> {
  if (!loaded.has(name)) loaded.set(name, await LOADS[name]());
  if (wanted !== name) return;
  chosen.value = name;
  document.documentElement.lang = name;
}

/** The words of the chosen language. */
export function words(): ConsoleWords {
  return loaded.get(chosen.value)!;
}

function joined([ofCodes, ofPages]: [typeof codes, typeof console], ofRequests: typeof requests) {
  return { ...ofCodes, ...ofPages, requests: ofRequests };
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

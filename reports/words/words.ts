import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { ja } from './ja.ts';
import { type PackageWords, packageEn } from './package-en.ts';
import { packageEs } from './package-es.ts';
import { packageJa } from './package-ja.ts';

export const REPORT_LANGUAGES = ['ja', 'en', 'es'] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

export const WORDS: Record<ReportLanguage, Words> = { en, es, ja };

export const PACKAGE_WORDS: Record<ReportLanguage, PackageWords> = { en: packageEn, es: packageEs, ja: packageJa };

/** Fills `{name}` in a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

import { en, type Words } from './en/words.ts';
import { es } from './es/words.ts';
import { ja } from './ja/words.ts';
import type { Language } from './language.ts';

export const WORDS: Record<Language, Words> = { en, es, ja };

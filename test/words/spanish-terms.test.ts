import { expect, it } from 'vitest';
import * as console from '../../words/es/console.ts';
import { WORDS } from '../../words/words.ts';

/** Words of other Spanish-speaking places for what the product names by one word. */
const OTHERS = [
  { house: 'billetera', other: /\b(?:monedero|cartera)s?\b/i },
  { house: 'plataforma de intercambio', other: /\b(?:casas? de cambio|exchanges)\b/i },
  { house: 'solicitud de inmovilización', other: /solicitud(?:es)? de (?:bloqueo|congelación)/i },
  { house: 'sentido', other: /\b(?:ambas|las dos) direcciones/i },
];

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [String(value)];
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

it.each(OTHERS)('a Spanish reader meets one word for one thing: $house', ({ other }) => {
  const texts = textsIn([WORDS.es, console]);
  expect(texts.length).toBeGreaterThan(1_000);
  expect(texts.filter((text) => other.test(text))).toEqual([]);
});

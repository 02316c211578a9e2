import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import {
  EXPOSURE,
  PATTERN_MONEY,
  PATTERN_RULES,
  ROBBER,
  RULES,
  SERVICE_EXPOSURE,
  VICTIM,
} from '../../src/risk/rules.ts';
import type { Language } from '../../words/language.ts';
import { LANGUAGES } from '../../words/language.ts';
import { lookUp } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';
import { DETECTOR_CASES } from '../risk/detector-cases.ts';
import { assessed } from '../risk/world.ts';

const figureName = (key: string, language: Language) => lookUp(WORDS[language].measures, key);

const RISK = join(import.meta.dirname, '../../src/risk');

type Json = null | string | number | boolean | Json[] | { [key: string]: Json };

/** Keys of the objects that stand for `measured` or `thresholds` below a node of a syntax tree. */
function keysBelow(node: Json): string[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(keysBelow);
  const nameOf = ({ key }: { [key: string]: Json }) => (key as { name?: string } | undefined)?.name ?? '';
  const { value } = node as { value?: { type?: string; properties?: { [key: string]: Json }[] } };
  const isFigures = ['measured', 'thresholds'].includes(nameOf(node)) && value?.type === 'ObjectExpression';
  const own = isFigures ? (value.properties ?? []).map(nameOf).filter((name) => name !== '') : [];
  return [...own, ...Object.values(node).flatMap(keysBelow)];
}

/** Figures of a token screening's flags, which stand in its reasons alone. */
const OF_TOKEN_SCREENING = ['count', 'from', 'to', 'losses'];

/** The keys that the source of detectors and of the score states. */
function keysOfSource(): string[] {
  return ['typologies', 'exposure', 'anomaly', 'scoring'].flatMap((folder) =>
    readdirSync(join(RISK, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const tree = parseAst(readFileSync(join(RISK, folder, name), 'utf8'), { lang: 'ts' });
        return keysBelow(tree as unknown as Json).filter((key) => !OF_TOKEN_SCREENING.includes(key));
      }),
  );
}

function keysOfRules(): string[] {
  const tables = [RULES, PATTERN_RULES, SERVICE_EXPOSURE, ...Object.values(EXPOSURE)].flatMap((table) =>
    Object.values<object>(table),
  );
  return [...tables, VICTIM, ROBBER, PATTERN_MONEY].flatMap((table) => Object.keys(table));
}

function keysOfCases(): string[] {
  return DETECTOR_CASES.flatMap(({ fires, labels = [], chain }) => {
    const { detections, suppressed } = assessed(fires(), { labels, ...(chain && { chain }) });
    return [...detections, ...suppressed].flatMap(({ details }) => [
      ...Object.keys(details.measured),
      ...Object.keys(details.thresholds),
    ]);
  });
}

describe('the names of figures in reports', () => {
  it.each(LANGUAGES)('exist for everything that a rule compares or a detector measures, in %s', (language) => {
    const fromSource = keysOfSource();
    // What only the source shows, and what only a run shows.
    expect(fromSource).toEqual(expect.arrayContaining(['designated_at', 'model_sha256', 'strict_received_from_usd']));
    const keys = new Set([...fromSource, ...keysOfRules(), ...keysOfCases()]);
    expect(keys).toContain('recent_share');
    expect([...keys].filter((key) => figureName(key, language) === key)).toEqual([]);
  });

  it('are words of their language', () => {
    for (const key of new Set(keysOfRules())) {
      expect(figureName(key, 'ja')).toMatch(/[぀-ヿ一-鿿]/);
      expect(figureName(key, 'ja')).not.toMatch(/_/);
      expect(figureName(key, 'es')).not.toBe(figureName(key, 'en'));
    }
  });
});

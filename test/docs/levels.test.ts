import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OWN_STORIES, STORIES } from '../../fixtures/demo/levels.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { ARCHETYPES } from '../../fixtures/levels/archetypes.ts';
import { ATTACKS } from '../../fixtures/levels/attacks.ts';
import { MORE_ARCHETYPES } from '../../fixtures/levels/more-archetypes.ts';
import type { Chain } from '../../src/domain/chain.ts';

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it('docs/risk.md lists every archetype with the level that its test holds', () => {
  const text = page('risk.md');
  const rows = [...ARCHETYPES, ...MORE_ARCHETYPES].map(({ name, story, levels, score: [least, most] }) => {
    return `| ${name} | ${story} | ${levels.join(' or ')} | ${least === most ? least : `${least} to ${most}`} |`;
  });
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});

it('docs/risk.md lists every attack with the most that it may gain', () => {
  const text = page('risk.md');
  const rows = ATTACKS.map(({ name, does, least }) => `| ${name} | ${does} | ${least} |`);
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});

it('docs/demo-world.md lists every address of a story with the level that its test holds', () => {
  const text = page('demo-world.md');
  const world = demoWorld();
  const chains: Chain[] = ['ethereum', 'bitcoin', 'arbitrum', 'optimism', 'tron'];
  const rows = chains.flatMap((chain) => {
    const stories = chain === 'ethereum' ? { ...STORIES, ...OWN_STORIES[chain] } : (OWN_STORIES[chain] ?? {});
    return Object.entries(stories).flatMap(([story, parts]) =>
      Object.entries(parts).map(([name, { level }]) => {
        return `| ${chain} | \`${story}\` | ${name} | \`${roleOf(world, chain, story, name).address}\` | ${level} |`;
      }),
    );
  });
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});

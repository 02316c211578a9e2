import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../scripts/clients/openapi-document.ts';
import { endpointsPage } from '../../scripts/examples/endpoints-page.ts';
import { EXAMPLES } from '../../src/http/document-routes.ts';
import { VECTORS } from '../tracing/engine/vectors.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
const others = [
  'docs/decisions',
  'clients',
  'clients/typescript',
  'clients/python',
  'examples/webhook-receiver',
  'cypher',
  'console',
];
const pages = ['.', 'docs', ...others].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? join(folder, name) : [])),
);

/** The anchors of a page, as GitHub makes them from its titles. */
function anchors(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the pages', () => {
  it('are all in the index', () => {
    const index = read('docs/README.md');
    expect(docs.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
  });

  it('link to pages and titles that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
        if (/^https?:/.test(link!)) return [];
        const [path = '', anchor] = link!.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        const isThere = existsSync(join(ROOT, target)) && (anchor === undefined || anchors(target).includes(anchor));
        return isThere ? [] : [`${page}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});

it('docs/endpoints.md is what `npm run examples` makes of the API', async () => {
  expect(endpointsPage(await openApiDocument())).toBe(read('docs/endpoints.md'));
});

/** The part of an answer that a page shows: of lists, the entries that it shows, wherever they stand. */
function shows(answer: unknown, shown: unknown): boolean {
  if (typeof shown === 'string' && shown.includes('…')) {
    const [start = '', end = ''] = shown.split('…');
    return typeof answer === 'string' && answer.startsWith(start) && answer.endsWith(end);
  }
  if (typeof shown !== 'object' || shown === null) return answer === shown;
  if (typeof answer !== 'object' || answer === null) return false;
  if (Array.isArray(shown)) {
    const entries = answer as unknown[];
    return shown.length === 0 ? entries.length === 0 : shown.every((one) => entries.some((entry) => shows(entry, one)));
  }
  return Object.entries(shown).every(([name, value]) => shows((answer as Record<string, unknown>)[name], value));
}

describe('the figures', () => {
  const answers: Record<string, unknown> = {
    scan: EXAMPLES.scanAddress!.answers[200],
    exposure: EXAMPLES.getExposure!.answers[200],
    terminals: EXAMPLES.getTerminals!.answers[200],
  };

  it('of README.md are what the first line of the demo answers', () => {
    const [, json = ''] = /## A first answer[\s\S]*?```json\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
    expect(shows(answers.scan, JSON.parse(json))).toBe(true);
    expect(shows(answers.scan, { risk_level: 'CRITICAL', risk_score: 85 })).toBe(true);
    expect(shows(answers.scan, { ...JSON.parse(json), risk_score: 84 })).toBe(false);
  });

  it('of docs/concepts.md are what the demo answers', () => {
    const blocks = [...read('docs/concepts.md').matchAll(/```json (\w+)\n([\s\S]*?)```/g)];
    expect(blocks.map(([, name]) => name)).toEqual(['exposure', 'terminals', 'scan']);
    for (const [, name, json] of blocks) expect([name, shows(answers[name!], JSON.parse(json!))]).toEqual([name, true]);
  });

  it('of the score in docs/concepts.md follow from its terms', () => {
    const terms = [
      [0.8, 1],
      [0.6, 0.45],
    ] as const;
    const score = 100 * (1 - terms.reduce((rest, [weight, strength]) => rest * (1 - weight * strength), 1));
    expect(read('docs/concepts.md')).toContain(`= ${score.toFixed(1)}, rounded ${Math.round(score)}`);
  });

  it('of the haircut in docs/concepts.md are those of the vectors that the tracing is tested with', () => {
    const rows = ['V2', 'V3', 'V4'].map((id) => {
      const { transfers, expected } = VECTORS.find((vector) => vector.id === id)!;
      const parts = transfers.map(([, from, to, usd], i) => {
        const isLate = id === 'V3' && i === transfers.length - 1;
        return `${isLate ? 'then ' : ''}${from} pays ${to} ${usd}`;
      });
      return `| ${parts.join(', ')} | ${expected.map((one) => one.replace(/: (\S+) at .*/, ' $1')).join(', ')} |`;
    });
    expect(rows.filter((row) => !read('docs/concepts.md').includes(row))).toEqual([]);
  });
});

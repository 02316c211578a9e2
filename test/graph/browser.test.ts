import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import neo4j, { type Driver } from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { writtenFavourite } from '../../scripts/favourites/write-favourite.ts';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { CATEGORIES, STOP_CATEGORIES } from '../../src/domain/label.ts';
import { NULL_ADDRESSES } from '../../src/domain/null-addresses.ts';
import { ALL_TERMINAL_CATEGORIES, TERMINAL_CATEGORIES } from '../../src/domain/tracing/answers.ts';
import { browserText } from '../../src/graph/browser-text.ts';
import { openNeo4j } from '../../src/graph/neo4j/neo4j.ts';
import type { Graph } from '../../src/graph/port.ts';
import { askedCypher, type GraphQuestion } from '../../src/operator/asked-cypher.ts';
import { getFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { checkRelationship } from '../../src/tracing/answers/paths/check-relationship.ts';
import { findFlowPath } from '../../src/tracing/answers/paths/find-flow-path.ts';
import { asOperator } from '../../src/tracing/read/inquiry.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';
import { tracing } from '../tracing/money.ts';
import { FOLDER, favourites, PARTIES, readFavourite } from './favourites.ts';
import { build, markScanned, type World } from './world.ts';

/**
 * A mixer pays a1 through mule, which also has honest money of e, and once directly; a1 pays b2 directly and over
 * two ways; b2 cashes out at e. The transfer of later to mule comes after what mule paid on: no money of a1.
 * Names that are asked for are of one order of size (keys of 11 to 100 characters): for others Neo4j plans again.
 */
const a1 = '0x00000000000000000000000000000000000000a1';
const b2 = '0x00000000000000000000000000000000000000b2';
/** Of the walks that are compared; each hop costs the server a third of a second to plan. */
const WAY_HOPS = 3;
const world: World = {
  transfers: [
    { from: 'tornado', to: 'mule', usd: 3_000, at: 1_000 },
    { from: 'e', to: 'mule', usd: 7_000, at: 2_000 },
    { from: 'mule', to: a1, usd: 4_000, at: 3_000 },
    { from: 'later', to: 'mule', usd: 50_000, at: 4_000 },
    { from: 'tornado', to: a1, usd: 600, at: 5_000 },
    { from: 'tornado', to: 'nest', usd: 2_500, at: 5_100, txHash: '0xsame', index: '0', seq: 0 },
    { from: 'nest', to: 'mule', usd: 2_000, at: 5_100, txHash: '0xsame', index: '1', seq: 1 },
    { from: 'mule', to: a1, usd: 300, at: 5_200 },
    { from: a1, to: 'c', usd: 2_000, at: 6_000 },
    { from: 'c', to: b2, usd: 1_500, at: 7_000 },
    { from: a1, to: 'd', usd: 900, at: 8_000 },
    { from: 'd', to: b2, usd: 800, at: 7_500 },
    { from: 'd', to: b2, usd: 700, at: 8_500 },
    { from: 'mule', to: b2, usd: 100, at: 9_000 },
    { from: b2, to: 'e', usd: 1_200, at: 10_000 },
    { from: a1, to: b2, usd: 5, at: 10_500 },
    { from: b2, to: 'ofac', usd: null, at: 11_000 },
  ],
  labels: {
    tornado: { category: 'mixer', label: 'Tornado Cash', label_source: 'test', entity_id: 'Tornado' },
    later: { category: 'scam', label: 'Too late', label_source: 'test' },
    e: { category: 'exchange', label: 'Exchange', label_source: 'test' },
    ofac: { category: 'sanctioned', label: 'Listed', label_source: 'test' },
    [a1]: { entity_id: 'Someone' },
    [b2]: { entity_id: 'Someone' },
  },
};

describe('the favourites', () => {
  it.each(favourites)('%s has a title, says what it shows, and gives every parameter it uses', (_, favourite) => {
    const [title, explanation] = favourite.text.split('\n');
    expect(title).toMatch(/^\/\/ [A-Z][\w, ]+: \S/);
    expect(explanation).toMatch(/^\/\/ \S.{20}/);
    const used = new Set([...favourite.statement.matchAll(/\$(\w+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(favourite.params).sort());
    expect(favourite.statement).not.toMatch(/\b(CREATE|MERGE|SET|DELETE|REMOVE)\b/);
  });

  it('one favourite sets every parameter of the others, to the same example', () => {
    const { params } = readFavourite('0-parameters/all.cypher');
    expect(params).toEqual(Object.assign({}, ...favourites.map(([, favourite]) => favourite.params)));
    for (const [file, favourite] of favourites) expect(params, file).toMatchObject(favourite.params);
  });

  it('no two have one title: Browser lists them by it', () => {
    const titles = favourites.map(([, { text }]) => text.split('\n')[0]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('walk by the statement by which the service walks: `npm run favourites` writes it', () => {
    const walking = favourites.filter(([, { text }]) => text.includes('// Walk: '));
    expect(walking.length).toBeGreaterThan(0);
    for (const [file, { text }] of walking) expect(writtenFavourite(text), file).toBe(text);
  });

  it('stop at the services and the addresses of nobody at which the product stops', () => {
    const all = readFavourite('0-parameters/all.cypher');
    const { stops, no_parties } = all.params;
    expect({ stops, no_parties }).toEqual({ stops: STOP_CATEGORIES, no_parties: [...NULL_ADDRESSES] });
    for (const { text } of [all, ...favourites.map(([, favourite]) => favourite)]) {
      const shortened = text.replaceAll(/, '(service|rrrrrrrrrrrrrrrrrrrrBZbvji)'\]/g, ']');
      expect(writtenFavourite(shortened)).toBe(text);
    }
  });

  it('the style sheet colours the label of every category at which tracing stops', () => {
    const style = readFileSync(join(FOLDER, 'traceflow.grass'), 'utf8');
    for (const category of STOP_CATEGORIES) expect(style).toContain(`node.${pascal(category)} {`);
    const labels = [...style.matchAll(/^node\.(\w+) \{/gm)].map(([, label]) => label);
    const known = ['Address', 'Scanned', 'Entity', ...CATEGORIES.map(pascal)];
    expect(labels.filter((label) => !known.includes(label!))).toEqual([]);
  });
});

function pascal(category: string): string {
  return category.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

describe('in a real Neo4j', () => {
  let server: LeasedServer;
  let driver: Driver;
  let graph: Graph;
  beforeAll(async () => {
    server = await leaseServer('neo4j');
    if (server.missing !== null) return;
    const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = server.settings;
    driver = neo4j.driver(uri, neo4j.auth.basic(user, password), { disableLosslessIntegers: true });
    await driver.executeQuery('MATCH (n) DETACH DELETE n');
    graph = await openNeo4j({ uri, user, password });
    await build(graph, world);
  }, 600_000);
  afterAll(async () => {
    await graph?.close();
    await driver?.close();
    server?.release();
  });

  const run = async (file: string, params: Record<string, unknown> = {}) => {
    const favourite = readFavourite(file, WAY_HOPS);
    const { records } = await driver.executeQuery(favourite.statement, { ...favourite.params, ...params });
    return records.map((record) => record.toObject());
  };
  const ctx = () => tracing(graph);
  const key = (address: string) => `ethereum:${address}`;

  it.for(favourites)('%s gives rows for the addresses of its own example', async ([file], { skip }) => {
    if (server.missing !== null) return skip(server.missing);
    expect((await run(file)).length).toBeGreaterThan(0);
  });

  it('one that walks ten hops runs as it is', async ({ skip }) => {
    if (server.missing !== null) return skip(server.missing);
    const { text, statement, params } = readFavourite(PARTIES.received);
    expect(text).toContain(', 10 hops');
    const { records } = await driver.executeQuery(statement, params);
    expect(records.length).toBeGreaterThan(0);
  });

  it.for([
    ['received', [a1, 'mule']],
    ['sent', [b2]],
  ] as const)(
    '%s amounts are those of the exposure question, or less where money also came by longer ways',
    async ([direction, straight], { skip }) => {
      if (server.missing !== null) return skip(server.missing);
      const request = { chain: 'ethereum', maxHops: 3, limit: 200 } as const;
      for (const address of [a1, b2, 'mule']) {
        const answer = await getExposure(ctx(), { ...request, address });
        const expected = (['direct', 'indirect'] as const).flatMap((tier) =>
          answer[tier]
            .filter((bucket) => bucket.direction === direction)
            .map(({ category, usd, address_count: addresses, min_hops }) => ({
              tier,
              category,
              usd,
              addresses,
              min_hops,
            })),
        );
        const rows = await run(`2-exposure/${direction}-amounts.cypher`, { address: key(address) });
        const found = rows.map(({ labels: _, ...row }) => row);
        const rounded = expected.map((row) => ({ ...row, usd: cents(row.usd) }));
        if (straight.some((one) => one === address)) expect(byText(found), address).toEqual(byText(rounded));
        for (const { tier, category, usd, min_hops } of found) {
          const whole = rounded.find((row) => row.tier === tier && row.category === category)!;
          expect(usd, `${address} ${category}`).toBeLessThanOrEqual(whole.usd);
          expect(min_hops, `${address} ${category}`).toBeGreaterThanOrEqual(whole.min_hops);
        }
      }
    },
  );

  it('the parties are those of the account of the money and of the terminals question', async ({ skip }) => {
    if (server.missing !== null) return skip(server.missing);
    const own = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true });
    onTestFinished(() => own.close());
    for (const address of [a1, b2, 'mule']) {
      for (const direction of ['received', 'sent'] as const) {
        const asked = { keys: [key(address)], direction, maxHops: WAY_HOPS, lang: 'en' } as const;
        const { rows } = await getFunds(asOperator({ ...own, graph }), asked);
        const expected = rows.flatMap((row) => (row.kind === 'party' && row.address ? [key(row.address)] : []));
        const found = await run(PARTIES[direction], { address: key(address) });
        expect(found.map((row) => row.address)).toEqual(expect.arrayContaining(expected));
        // The account leaves out the subject's own transfers without a price; a walk says who got them.
        const priced = found.filter(({ usd }) => usd > 0).map((row) => row.address);
        expect(expected, `${address} ${direction}`).toEqual(expect.arrayContaining(priced));
      }
      const request = { chain: 'ethereum', address, maxHops: WAY_HOPS, limit: 100 } as const;
      const { terminals } = await getTerminals(ctx(), { ...request, categories: ALL_TERMINAL_CATEGORIES });
      const asked = Object.values(TERMINAL_CATEGORIES).flat();
      const found = await run(PARTIES.sent, { address: key(address), categories: asked });
      expect(found.map((row) => row.address).sort(), address).toEqual(terminals.map((one) => key(one.address)).sort());
    }
  });

  it('the ways in time order are those of the flow-path question, and no others', async ({ skip }) => {
    if (server.missing !== null) return skip(server.missing);
    const search = { chain: 'ethereum', maxHops: 5, minUsd: 0, timeOrdered: true, maxPaths: 3 } as const;
    for (const [from, to] of [
      [a1, b2],
      ['tornado', a1],
      ['nest', b2],
      ['later', a1],
      [b2, a1],
    ] as const) {
      const { paths } = await findFlowPath(ctx(), { ...search, from, to, throughServices: false });
      const rows = await run('4-flow-path/in-time-order.cypher', { from: key(from), to: key(to) });
      const ways = rows.map((row) => [row.length, row.bottleneck_usd, row.addresses]);
      const expected = paths.map((path) => [
        path.length,
        path.bottleneck_usd,
        [from, ...path.hops.map((hop) => hop.to)],
      ]);
      expect(ways, `${from} to ${to}`).toEqual(expected);
    }
  });

  it('what to read next is what the exposure question names, as long as it was not scanned', async ({ skip }) => {
    if (server.missing !== null) return skip(server.missing);
    const next = async () =>
      (await run('6-coverage/what-to-read-next.cypher', { address: key(a1) })).map((row) => row.address as string);
    const { coverage } = await getExposure(ctx(), {
      chain: 'ethereum',
      address: a1,
      maxHops: 3,
      limit: 200,
    });
    const behind = (coverage.frontier ?? []).filter(({ hop }) => hop > 0).map(({ address }) => key(address));
    expect(behind.length).toBeGreaterThan(0);
    expect(await next()).toEqual(expect.arrayContaining(behind));
    await markScanned(graph, { address: 'mule', at: 20_000, complete: true });
    expect(await next()).not.toContain(key('mule'));
    const { records } = await driver.executeQuery('MATCH (a:Scanned) RETURN a.key AS key');
    expect(records.map((record) => record.get('key'))).toEqual([key('mule')]);
  });

  it('direct dealings and shared counterparties are those of the relationship question', async ({ skip }) => {
    if (server.missing !== null) return skip(server.missing);
    for (const [a, b] of [
      [a1, b2],
      ['mule', a1],
    ] as const) {
      const answer = await checkRelationship(ctx(), { chain: 'ethereum', a, b, limit: 200 });
      const params = { a: key(a), b: key(b) };
      const [direct] = await run('5-relationship/direct.cypher', params);
      expect(direct).toEqual({
        a_to_b_usd: answer.direct.a_to_b?.usd ?? null,
        a_to_b_count: answer.direct.a_to_b?.tx_count ?? null,
        a_to_b_tx_hash: answer.direct.a_to_b?.tx_hash ?? null,
        b_to_a_usd: answer.direct.b_to_a?.usd ?? null,
        b_to_a_count: answer.direct.b_to_a?.tx_count ?? null,
        b_to_a_tx_hash: answer.direct.b_to_a?.tx_hash ?? null,
        same_owner: answer.same_entity,
      });
      const shared = await run('5-relationship/shared-counterparties.cypher', params);
      expect(shared.map((row) => row.address)).toEqual(answer.shared_counterparties.map((one) => one.address));
      expect(shared.length).toBeGreaterThan(0);
    }
  });

  it('what is printed for Browser gives it the rows by which each question is answered', async ({ skip }) => {
    if (server.missing !== null) return skip(server.missing);
    const at = (address: string) => ({ chain: 'ethereum', address }) as const;
    const questions: GraphQuestion[] = [
      { question: 'flow-path', from: at('tornado'), to: at(b2), hops: 2 },
      { question: 'relationship', from: at(a1), to: at(b2) },
      { question: 'exposure', address: at(a1), hops: 2 },
      { question: 'terminals', address: at(a1), hops: 2 },
      { question: 'funds', address: at(a1), direction: 'received', hops: 2 },
      { question: 'follow', address: at(a1), direction: 'sent', hops: 1 },
    ];
    const own = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true });
    const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = server.settings;
    // Like Browser, it keeps what a `:param` line sets to an integer.
    const exact = neo4j.driver(uri, neo4j.auth.basic(user, password));
    onTestFinished(async () => {
      await Promise.all([own.close(), exact.close()]);
    });
    for (const question of questions) {
      const asked = await askedCypher({ ...own, graph }, question);
      expect(asked.length).toBeGreaterThan(0);
      const printed = statementsIn(browserText(asked));
      expect(printed).toHaveLength(asked.length);
      for (const [i, { params, statement }] of printed.entries()) {
        const set: Record<string, unknown> = {};
        for (const [name, value] of params) {
          set[name] = (await exact.executeQuery(`RETURN ${value} AS value`)).records[0]?.get('value');
        }
        const { records } = await driver.executeQuery(statement, set);
        const rows = await graph.read(asked[i]!.name, asked[i]!.params);
        expect(byText(records.map((record) => record.toObject())), asked[i]!.name).toEqual(byText(rows));
      }
    }
  });

  it('each address bears the label of its category, and loses it with the category', async ({ skip }) => {
    if (server.missing !== null) return skip(server.missing);
    const labels = async () => {
      const { records } = await driver.executeQuery(
        'MATCH (a:Address {key: $key}) RETURN [l IN labels(a) WHERE l <> "Address"] AS labels',
        { key: key('later') },
      );
      return records[0]?.get('labels');
    };
    expect(await labels()).toEqual(['Scam']);
    const { applyLabels } = await import('../../src/graph/ingest/apply-labels.ts');
    const label = { category: 'dex_router', label: 'Router', label_source: 'test', entity_id: null };
    await applyLabels(graph, new Map([[key('later'), label]]));
    expect(await labels()).toEqual(['DexRouter']);
    await applyLabels(graph, new Map([[key('later'), { ...label, category: null }]]));
    expect(await labels()).toEqual([]);
    await applyLabels(graph, new Map([[key('later'), { ...label, category: 'scam' }]]));
  });
});

/** The statements of a text as Browser runs it, each with the parameters that were set before it. */
function statementsIn(text: string): { params: [name: string, value: string][]; statement: string }[] {
  return text
    .trimEnd()
    .split(/;\n\n(?=:param)/)
    .map((part) => ({
      params: [...part.matchAll(/^:param (\w+) => (.*);$/gm)].map(([, name = '', value = '']) => [name, value]),
      statement: part.replaceAll(/^:param .*\n/gm, '').replace(/;$/, ''),
    }));
}

function byText(rows: object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function cents(usd: number): number {
  return Math.round(usd * 100) / 100;
}

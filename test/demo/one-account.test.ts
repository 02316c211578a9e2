import { setTimeout } from 'node:timers/promises';
import neo4j, { type Driver } from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import type { Context } from '../../src/context.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import type { Chain, ChainAddress } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import { ALL_TERMINAL_CATEGORIES, type FundsRow } from '../../src/domain/tracing/answers.ts';
import type { Direction } from '../../src/domain/tracing/flow-portion.ts';
import { addCaseAddress } from '../../src/questions/cases/case-addresses.ts';
import { createCase } from '../../src/questions/cases/manage-cases.ts';
import { gatherAddressReport } from '../../src/questions/cases/report/gather-address-report.ts';
import { suggestAddresses } from '../../src/questions/cases/suggest-addresses.ts';
import { getTrace, getTraceResults, startTrace } from '../../src/questions/jobs/start-trace.ts';
import { scanAddress } from '../../src/questions/scans/scan-address.ts';
import type { Tenant } from '../../src/records/accounts/tenant.ts';
import { FUNDS_HOPS, FUNDS_LIMIT, type Funds } from '../../src/tracing/answers/funds/funds-of.ts';
import { getCaseFunds } from '../../src/tracing/answers/funds/get-case-funds.ts';
import { getAddressFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { type ExposureAnswer, getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { getTerminals, type TerminalsAnswer } from '../../src/tracing/answers/get-terminals.ts';
import { findIndirectExposure } from '../../src/tracing/answers/indirect/indirect-exposure.ts';
import { checkRelationship } from '../../src/tracing/answers/paths/check-relationship.ts';
import { findFlowPath, PATH_HOPS } from '../../src/tracing/answers/paths/find-flow-path.ts';
import { SCAN_MAX_HOPS } from '../../src/tracing/read/expansion/expand-scan.ts';
import { asOperator, inquire } from '../../src/tracing/read/inquiry.ts';
import { PARTIES, readFavourite } from '../graph/favourites.ts';
import { emptyNeo4j } from '../setup/empty-neo4j.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';

const HOPS = 5;
const DIRECTIONS: readonly Direction[] = ['sent', 'received'];
/** Ledgers of outputs are traced by rules of their own. */
const OF_OUTPUTS: readonly Chain[] = ['bitcoin'];
/** One of each family; they share all that is compared, so each story is asked on one of them. */
const OF_ACCOUNTS: readonly Chain[] = ['ethereum', 'solana', 'tron', 'xrp'];
/** Chains of the stories that Browser is asked about: the start on Neo4j reads these. */
const IN_BROWSER: readonly Chain[] = ['ethereum', 'bitcoin'];
/** The start on Neo4j reads the addresses of the stories; what bridges state is looked up by a scan. */
const OVER_BRIDGES = /bridge/;
/** The story of which a trace job opens more, on each chain. */
const TRACED = 'laundering';

type Role = Demo['world']['roles'][number];
type Accounts = Record<Direction, Funds>;

// The questions read the graph by statements whose rows are the same on both engines, which the contract suite of graphs
// holds: on Neo4j the account is asked once more beside what is there alone, the favourites of its browser.
describe.each(['embedded', 'neo4j'])('the money of every story, graph %s', (engine) => {
  let server: LeasedServer | undefined;
  let demo: Demo;
  let driver: Driver | undefined;
  beforeAll(async () => {
    if (engine === 'neo4j') server = await leaseServer('neo4j');
    if (server && server.missing !== null) return;
    if (server) await emptyNeo4j(server.settings);
    if (server) driver = driverOf(server.settings);
    demo = await startDemo(
      { ...server?.settings, PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED },
      { chains: IN_BROWSER },
    );
  }, 600_000);
  afterAll(async () => {
    await Promise.all([demo?.close(), driver?.close()]);
    server?.release();
  });

  if (engine === 'neo4j') {
    it('fills an empty Neo4j, and leaves one alone that holds something', async ({ skip }) => {
      if (!server || server.missing !== null || !driver) return skip(server?.missing ?? '');
      const { records } = await driver.executeQuery(
        "MATCH (a:Scanned {chain: 'ethereum'}) RETURN count(a) AS scanned, sum(COUNT { (a)--() }) AS edges",
      );
      const roles = demo.world.roles.filter(({ chain }) => chain === 'ethereum').map(({ address }) => address);
      expect(records[0]?.get('scanned')).toBeGreaterThan(0.8 * new Set(roles).size);
      expect(records[0]?.get('edges')).toBeGreaterThan(roles.length);
      const second = { ...server.settings, PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED };
      await expect(startDemo(second)).rejects.toThrow(/holds \d+ addresses/);
    });
  }

  it('has the same amounts and ends in every answer with the same reach', {
    timeout: 900_000,
  }, async ({ skip }) => {
    if (server && server.missing !== null) return skip(server.missing);
    const { ctx, enterprise, world } = demo;
    const moved = new Set(Object.values(world.moves).flatMap((moves) => moves.flatMap(({ from, to }) => [from, to])));
    const known = world.roles.filter(({ address }) => moved.has(address));
    const stories = groupBy(known, ({ chain, story }) => `${chain} ${story}`);
    const all = [...stories.values()].map((of) => of[0]!);
    const on = (chains: readonly Chain[]) => all.filter(({ chain }) => chains.includes(chain));
    const roles = driver ? eachStoryOnce(on(IN_BROWSER)) : [...on(OF_OUTPUTS), ...eachStoryOnce(on(OF_ACCOUNTS))];
    const unread = driver ? roles.filter(({ story }) => OVER_BRIDGES.test(story)) : roles;
    for (const { chain, address } of unread)
      await scanAddress(ctx, enterprise, { chain, address, lang: 'en', source: 'sync' });
    const found = new Disagreements();
    for (const role of roles) {
      found.at = `${role.chain} ${role.story} ${role.name}`;
      if (role.story === TRACED && !driver) await compareTrace(found, ctx, enterprise, role);
      const accounts = await accountsOf(ctx, enterprise, role, HOPS);
      if (driver) {
        await compareFavourites(found, ctx, driver, { role, accounts });
        continue;
      }
      await compareExposure(found, ctx, enterprise, { role, accounts });
      await compareScan(found, ctx, enterprise, role);
      await comparePaths(found, ctx, enterprise, { role, accounts });
      await compareCase(found, ctx, enterprise, { role, accounts });
      await compareReport(found, ctx, enterprise, { role, accounts });
    }
    expect(found.list).toEqual([]);
    // Several stories that have ends.
    const asked = driver
      ? ['favourite', 'way']
      : ['exposure', 'terminal', 'scan', 'path', 'suggestion', 'report', 'trace'];
    for (const what of asked) expect(found.compared.get(what), what).toBeGreaterThanOrEqual(8);
  });
});

/** The chains in turn, so that every story and every chain is asked. */
function eachStoryOnce(roles: readonly Role[]): Role[] {
  return [...groupBy(roles, ({ story }) => story).values()].map((alike, i) => alike[i % alike.length]!);
}

/** Collects all that disagrees, so that one run shows it. */
class Disagreements {
  at = '';
  readonly list: string[] = [];
  readonly compared = new Map<string, number>();

  same(what: string, seen: unknown, account: unknown): void {
    const [a, b] = [JSON.stringify(seen), JSON.stringify(account)];
    if (a !== b) this.list.push(`${this.at}, ${what}: ${a} is ${b} in the account`);
    this.count(what);
  }

  count(what: string): void {
    const [name = ''] = what.split(' ');
    this.compared.set(name, (this.compared.get(name) ?? 0) + 1);
  }
}

async function accountsOf(ctx: Context, tenant: Tenant, { chain, address }: Role, maxHops: number): Promise<Accounts> {
  const asked = { chain, address, maxHops, lang: 'en' } as const;
  return {
    sent: await getAddressFunds(await inquire(ctx, tenant.accountId), { ...asked, direction: 'sent' }),
    received: await getAddressFunds(await inquire(ctx, tenant.accountId), { ...asked, direction: 'received' }),
  };
}

interface Compared {
  role: Role;
  accounts: Accounts;
}

/** True where the note says that the address exchanged some of the money itself. */
function hasExchanged({ note }: Pick<Funds, 'note'>): boolean {
  return note?.includes('Exchanges of its own') ?? false;
}

function sumOf(parts: readonly Summed[]): number {
  return parts.reduce((sum, one) => sum + followed(one), 0);
}

/** An account states the value of each quantity at its time, and beside it the followed money, which exposure counts. */
function followed({ usd, followed_usd = usd }: Summed): number {
  return followed_usd;
}

function sameExposure(found: Disagreements, what: string, exposure: ExposureAnswer, accounts: Accounts): void {
  for (const direction of DIRECTIONS) {
    const { rows, total_usd, coverage } = accounts[direction];
    const buckets = [...exposure.direct, ...exposure.indirect].filter((one) => one.direction === direction);
    const totalUsd = direction === 'sent' ? exposure.sent_usd : exposure.received_usd;
    if (hasExchanged(accounts[direction])) {
      // Exposure lists with its exchange what the account leaves out.
      const [listed, others] = [buckets, rows].map((parts) =>
        sumOf(parts.filter(({ category }) => category === 'dex')),
      );
      const rest = (parts: readonly Summed[]) => parts.filter(({ category }) => category !== 'dex');
      const restUsd = totalUsd - (listed as number) + (others as number);
      found.same(`${what} ${direction}`, sums(rest(buckets), restUsd), sums(rest(rows), total_usd));
      continue;
    }
    found.same(`${what} ${direction}`, sums(buckets, totalUsd), sums(rows, total_usd));
    const shares = [exposure.coverage.attributed[direction], coverage.attributed[direction]];
    found.same(`${what} share ${direction}`, shares[0]?.toFixed(5), shares[1]?.toFixed(5));
    const partiesUsd = rows.reduce((sum, row) => sum + (row.kind === 'party' ? followed(row) : 0), 0);
    const ownUsd = rows.reduce((sum, row) => sum + (row.kind === 'own_money' ? followed(row) : 0), 0);
    if (total_usd - ownUsd > 0) {
      const share = Math.min(1, partiesUsd / (total_usd - ownUsd));
      // Not by their digits: a share in the middle between two is rounded either way.
      found.same(`${what} parties ${direction}`, Math.abs((shares[1] ?? 0) - share) < 0.000_05, true);
    }
    found.same(`${what} sum ${direction}`, micro(rows), Math.round(total_usd * 1e6));
  }
}

function sameTerminals(found: Disagreements, what: string, { terminals }: TerminalsAnswer, { sent }: Accounts): void {
  for (const { address, chain, usd, reached } of terminals) {
    const rows = sent.rows.filter((row) => row.address === address && row.chain === chain && row.category !== null);
    if (usd > 0 && rows.length === 0 && isSummed(sent.rows)) continue;
    const sum = rows.reduce((total, row) => total + followed(row), 0);
    found.same(`${what} ${address}`, [reached, usd.toFixed(3)], [sum > 0 ? 'money' : 'path', sum.toFixed(3)]);
  }
}

async function compareExposure(found: Disagreements, ctx: Context, tenant: Tenant, { role, accounts }: Compared) {
  const { chain, address } = role;
  const asked = { chain, address, maxHops: HOPS };
  const bounds = { ...asked, limit: FUNDS_LIMIT, withPatterns: false };
  const exposure = await getExposure(await inquire(ctx, tenant.accountId), bounds);
  sameExposure(found, 'exposure', exposure, accounts);
  const ends = { ...asked, categories: ALL_TERMINAL_CATEGORIES, limit: 100 };
  const terminals = await getTerminals(await inquire(ctx, tenant.accountId), ends);
  sameTerminals(found, 'terminal', terminals, accounts);
}

/** The money that a scan is scored by, over as many hops. */
async function compareScan(found: Disagreements, ctx: Context, tenant: Tenant, role: Role) {
  const { chain, address } = role;
  const accounts = await accountsOf(ctx, tenant, role, SCAN_MAX_HOPS);
  const scan = await findIndirectExposure(await inquire(ctx, tenant.accountId), chain, address);
  for (const direction of DIRECTIONS) {
    const { rows, coverage, total_usd } = accounts[direction];
    // A scan opens fewer addresses a hop, and says where that left some out.
    if (scan.trace.reasons.includes('limit') && !coverage.reasons.includes('limit')) continue;
    const shares = [scan.trace.attributed[direction], coverage.attributed[direction]];
    if (hasExchanged(accounts[direction])) continue;
    found.same(`scan share ${direction}`, shares[0]?.toFixed(5), shares[1]?.toFixed(5));
    for (const { category, usd, minHops } of scan.indirect.filter((one) => one.direction === direction)) {
      const same = rows.filter((row) => row.category === category);
      // What moved directly is in the account too.
      const isAll = same.every(({ hops }) => hops > 1);
      const sum = same.reduce((total, row) => total + followed(row), 0);
      if (isAll) found.same(`scan ${direction} ${category}`, usd.toFixed(3), sum.toFixed(3));
      else found.same(`scan ${direction} ${category} at most`, usd <= sum + 0.001, true);
      if (isAll) found.same(`scan hops ${direction} ${category}`, minHops, Math.min(...same.map(({ hops }) => hops)));
      found.same(`scan total ${direction}`, usd <= total_usd + 0.001, true);
    }
  }
}

/** To the largest party of each direction: the money went there, so a path leads there in time order. */
async function comparePaths(found: Disagreements, ctx: Context, tenant: Tenant, { role, accounts }: Compared) {
  for (const direction of DIRECTIONS) {
    const end = accounts[direction].rows.find(({ kind, address }) => kind === 'party' && address !== null);
    if (!end?.address || !end.chain || end.path.some(({ conversion }) => conversion)) continue;
    const subject = { chain: role.chain, address: role.address };
    const party = { chain: end.chain, address: end.address };
    const [from, to] = direction === 'sent' ? [subject, party] : [party, subject];
    const ends = { chain: from.chain, from: from.address, toChain: to.chain, to: to.address };
    const bounds = { maxHops: HOPS, minUsd: 0, timeOrdered: true, maxPaths: 1, throughServices: false };
    const way = await findFlowPath(await inquire(ctx, tenant.accountId), { ...ends, ...bounds });
    found.same(`path ${direction} ${end.address}`, way.found, true);
    found.same(`path length ${direction} ${end.address}`, (way.paths[0]?.length ?? 0) <= end.path.length, true);
    if (end.hops > PATH_HOPS.usual) continue;
    const pair = { chain: from.chain, a: from.address, chainB: to.chain, b: to.address, limit: 10 };
    const relation = await checkRelationship(await inquire(ctx, tenant.accountId), pair);
    found.same(`relationship ${direction} ${end.address}`, relation.related, true);
  }
}

/** The favourites of Neo4j Browser reach every party of the account, with the ways there that the service gives. */
async function compareFavourites(found: Disagreements, ctx: Context, driver: Driver, { role, accounts }: Compared) {
  const subject = { chain: role.chain, address: role.address };
  for (const direction of DIRECTIONS) {
    const reached = await runFavourite(driver, PARTIES[direction], { address: keyOf(subject) });
    const parties = accounts[direction].rows.flatMap(({ kind, chain, address, path, usd }) =>
      kind === 'party' && chain && address && usd > 0 && !path.some(({ conversion }) => conversion)
        ? [{ chain, address, hops: path.length }]
        : [],
    );
    const keys = new Set(reached.map((row) => row.address));
    for (const party of parties) found.same(`favourite ${direction} ${party.address}`, keys.has(keyOf(party)), true);
    const [party] = parties;
    if (!party || party.hops > PATH_HOPS.usual) continue;
    const [from, to] = direction === 'sent' ? [subject, party] : [party, subject];
    const ends = { chain: from.chain, from: from.address, toChain: to.chain, to: to.address };
    const bounds = { maxHops: PATH_HOPS.usual, minUsd: 0, timeOrdered: true, maxPaths: 3, throughServices: false };
    const { paths } = await findFlowPath(asOperator(ctx), { ...ends, ...bounds });
    const rows = await runFavourite(driver, '4-flow-path/in-time-order.cypher', { from: keyOf(from), to: keyOf(to) });
    const ways = rows.map((row) => [row.length, row.bottleneck_usd, row.addresses]);
    const given = paths.map((path) => [
      path.length,
      path.bottleneck_usd,
      [from.address, ...path.hops.map((hop) => hop.to)],
    ]);
    found.same(`way ${direction} ${party.address}`, ways, given);
  }
}

function driverOf({
  NEO4J_URI: uri = '',
  NEO4J_USER: user = '',
  NEO4J_PASSWORD: password = '',
}: Record<string, string>) {
  return neo4j.driver(uri, neo4j.auth.basic(user, password), { disableLosslessIntegers: true });
}

async function runFavourite(driver: Driver, file: string, asked: Record<string, string>) {
  const { statement, params } = readFavourite(file);
  const { records } = await driver.executeQuery(statement, { ...params, ...asked });
  return records.map((record) => record.toObject());
}

function keyOf({ chain, address }: ChainAddress): string {
  return addressKey(chain, address);
}

async function compareCase(found: Disagreements, ctx: Context, tenant: Tenant, { role, accounts }: Compared) {
  const { chain, address } = role;
  const { id } = await createCase(ctx, tenant, { title: found.at });
  await addCaseAddress(ctx, tenant, id, { chain, address, role: 'subject' });
  const asked = { lang: 'en' } as const;
  const inquiry = async () => inquire(ctx, tenant.accountId);
  const near = await getCaseFunds(await inquiry(), tenant, id, { ...asked, maxHops: HOPS, direction: 'sent' });
  found.same('case', { ...near, address, chain, case_id: '' }.rows, accounts.sent.rows);
  found.same('case flows', near.flows, accounts.sent.flows);
  const { suggestions } = await suggestAddresses(await inquiry(), tenant, id, { limit: 500 });
  for (const direction of DIRECTIONS) {
    const { rows } = await getCaseFunds(await inquiry(), tenant, id, {
      ...asked,
      maxHops: FUNDS_HOPS.usual,
      direction,
    });
    for (const one of suggestions.filter(({ direction: way, why }) => way === direction && why !== 'passed_through')) {
      const row = rows.find((end) => end.address === one.address && end.chain === one.chain && end.usd === one.usd);
      if (!row && isSummed(rows)) continue;
      const seen = [one.usd, one.share, one.category, one.label, one.hop];
      found.same(`suggestion ${one.address}`, seen, row && [row.usd, row.share, row.category, row.label, row.hops]);
    }
  }
}

async function compareReport(found: Disagreements, ctx: Context, tenant: Tenant, { role, accounts }: Compared) {
  const { chain, address } = role;
  const { input } = await gatherAddressReport(ctx, tenant, { chain, address, maxHops: HOPS, language: 'en' });
  const { exposure, funds } = input;
  if (!exposure || !funds) return found.same('report', null, 'an account');
  sameExposure(found, 'report', exposure, accounts);
  for (const direction of DIRECTIONS) {
    const { rows, total_usd } = accounts[direction];
    const of = funds[direction];
    found.same(`report account ${direction}`, byKind(of.rows, of.totalUsd), byKind(rows, total_usd));
  }
}

/** The results of a trace, and what the graph says after it. */
async function compareTrace(found: Disagreements, ctx: Context, tenant: Tenant, role: Role) {
  const { chain, address } = role;
  const budget = { maxHops: HOPS, maxAddresses: 5, minShare: 0.01, minUsd: 0 };
  const { job_id } = await startTrace(ctx, tenant, { chain, address, direction: 'both', ...budget });
  while (!['completed', 'failed'].includes((await getTrace(ctx, tenant, job_id)).status)) await setTimeout(50);
  const { funds, exposure, terminals } = await getTraceResults(ctx, tenant, job_id);
  const accounts = await accountsOf(ctx, tenant, role, HOPS);
  for (const direction of DIRECTIONS) {
    found.same(`trace ${direction}`, funds?.[direction]?.rows, accounts[direction].rows);
  }
  if (exposure) sameExposure(found, 'trace', exposure, accounts);
  if (terminals) sameTerminals(found, 'trace', terminals, accounts);
}

/** Beyond 200 rows the account sums its ends by kind. */
function isSummed(rows: readonly FundsRow[]): boolean {
  return rows.some(({ count }) => count > 1);
}

function micro(rows: readonly FundsRow[]): number {
  return rows.reduce((sum, { usd }) => sum + Math.round(usd * 1e6), 0);
}

interface Summed {
  category?: string | null;
  usd: number;
  followed_usd?: number;
}

/** US dollars by category of party, and in all, to a tenth of a cent: each side is rounded for each party. */
function sums(parts: readonly Summed[], totalUsd: number): [string, string][] {
  const named = new Map<string, number>();
  for (const one of parts) {
    if (one.category) named.set(one.category, (named.get(one.category) ?? 0) + followed(one));
  }
  return shown(named, totalUsd);
}

function byKind(rows: readonly FundsRow[], totalUsd: number): [string, string][] {
  const named = new Map<string, number>();
  for (const { kind, usd } of rows) named.set(kind, (named.get(kind) ?? 0) + usd);
  return shown(named, totalUsd);
}

function shown(named: ReadonlyMap<string, number>, totalUsd: number): [string, string][] {
  const entries = [...named]
    .filter(([, usd]) => usd > 0.001)
    .map(([name, usd]): [string, string] => [name, usd.toFixed(3)]);
  return [...entries.sort(), ['total', totalUsd.toFixed(3)]];
}

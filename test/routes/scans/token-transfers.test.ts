import { describe, expect, it } from 'vitest';
import type { Move } from '../../../fixtures/demo/model.ts';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { ledgerSource } from '../../../fixtures/ledger-source.ts';
import { addAmounts } from '../../../src/domain/amount.ts';
import { CHAINS, type Chain, NATIVE_COIN } from '../../../src/domain/chain.ts';
import { addToGroup } from '../../../src/domain/group-by.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { chains, openApp, serveApp, shared, world } from '../../app/demo-world.ts';
import { openTestApp, type TestApp } from '../../app/test-app.ts';

const WITH_TOKENS = CHAINS.filter((chain) => chain !== 'bitcoin');

serveApp();

async function ask(test: TestApp, headers: Record<string, string>, url: string, payload: object) {
  const reply = await test.app.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}

/** The 90 days that end with a moment. */
const until = (at: number) => ({
  start_date: new Date(at - 90 * DAY_MS).toISOString(),
  end_date: new Date(at).toISOString(),
});
const sum = (moves: Move[]) => Number(moves.reduce((total, { amount }) => addAmounts(total, amount), '0'));

/** The pair of address and token that moved most on the chain, with the 90 days that end with its last move. */
function busiest(chain: Chain, isToken: boolean) {
  const pairs = new Map<string, Move[]>();
  for (const move of world.moves[chain]) {
    if (move.failed || move.kind === 'nft' || (move.token !== null) !== isToken) continue;
    for (const address of [move.from, move.to]) {
      if (address === 'coinbase') continue;
      addToGroup(pairs, `${address} ${move.token ?? 'native'}`, move);
    }
  }
  const fitting = [...pairs].filter(([, moves]) => moves.length <= 400).sort(([, a], [, b]) => b.length - a.length);
  const [key, all] = fitting[0]!;
  const [address = '', token = ''] = key.split(' ');
  const last = Math.max(...all.map(({ at }) => at));
  const moves = all.filter(({ at }) => at >= last - 90 * DAY_MS);
  return { address, token, moves, dates: until(last) };
}

it('takes turns at the source in the name of the account that asks', async () => {
  const test = await openTestApp();
  const { key, accountId } = await test.issue();
  const accounts: unknown[] = [];
  test.ctx.chainSource = async (chain) => ({
    ...ledgerSource(chain, []).source,
    tokenTransfers: async (_query, options) => {
      accounts.push(options?.account);
      return { symbol: null, transfers: [], reasons: [] };
    },
  });
  const token_contract = `0x${'a'.repeat(40)}`;
  for (const url of ['/tx-query', '/contract-alert']) {
    const payload = { address: token_contract, token_contract, chain: 'ethereum', ...until(test.time.at) };
    expect((await ask(test, { 'x-api-key': key }, url, payload)).status).toBe(200);
  }
  expect(accounts).toEqual([accountId, accountId]);
});

describe('POST /tx-query', () => {
  it.each(WITH_TOKENS)('gives every transfer and exact sums of the busiest token holder on %s', async (chain) => {
    const test = shared;
    const { address, token, moves, dates } = busiest(chain, true);
    const { status, body } = await ask(test, await test.headers(), '/tx-query', {
      address,
      token_contract: token,
      chain,
      ...dates,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ success: true, chain, address, token_contract: token, error: null, ...dates });
    expect(body.total_transfers).toBe(moves.length);
    expect(body.transfers.map((one: { tx_hash: string }) => one.tx_hash).sort()).toEqual(
      moves.map(({ txHash }) => txHash).sort(),
    );
    const others = new Set(moves.map(({ from, to }) => (from === address ? to : from)));
    expect(new Set(body.counterparties.map((one: { address: string }) => one.address))).toEqual(others);
    for (const party of body.counterparties) {
      const sent = moves.filter((move) => move.from === address && move.to === party.address);
      const received = moves.filter((move) => move.to === address && move.from === party.address);
      expect(party).toMatchObject({
        sent_count: sent.length,
        received_count: received.length,
        sent_amount: sum(sent),
        received_amount: sum(received),
      });
      expect(party.net_amount).toBeCloseTo(party.received_amount - party.sent_amount, 8);
    }
    const times = body.transfers.map((one: { timestamp: string }) => one.timestamp);
    expect(times).toEqual([...times].sort().reverse());
    for (const row of body.transfers) {
      expect(row.direction).toBe(row.from_address === address ? 'sent' : 'received');
      expect(row.counterparty).toBe(row.direction === 'sent' ? row.to_address : row.from_address);
      expect(Number.isInteger(row.token_decimals)).toBe(true);
    }
  });

  it.each(CHAINS.filter((chain) => chain !== 'kaia'))('answers for the coin of %s as `native`', async (chain) => {
    const test = shared;
    const { address, moves, dates } = busiest(chain, false);
    const payload = { address, token_contract: 'native', chain, ...dates };
    const { status, body } = await ask(test, await test.headers(), '/tx-query', payload);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.token_symbol).toBe(NATIVE_COIN[chain].symbol);
    const hashes = new Set(body.transfers.map((one: { tx_hash: string }) => one.tx_hash));
    expect(hashes).toEqual(new Set(moves.map(({ txHash }) => txHash)));
  });

  it('finds the chain by the address, names labelled counterparties and costs no scan', async () => {
    const test = shared;
    const headers = await test.headers();
    const exchange = roleOf(world, 'ethereum', 'exchange_hot_wallet', 'exchange').address;
    const move = world.moves.ethereum.find(
      ({ from, to, token, failed }) => from !== to && to === exchange && !token && !failed,
    )!;
    const payload = { address: move.from, token_contract: 'native', ...until(move.at) };
    const { body, headers: answered } = await ask(test, headers, '/tx-query', payload);
    expect(body.chain).toBe('ethereum');
    const party = body.counterparties.find((one: { address: string }) => one.address === exchange);
    expect(party).toMatchObject({ category: 'exchange', label: expect.any(String) });
    expect(answered['x-ratelimit-remaining']).toBe('59');
    expect((await test.app.inject({ url: '/api/v1/public/usage', headers })).json().scans_used).toBe(0);
  });

  it('takes times without a zone, with one, and bare days as UTC', async () => {
    const test = shared;
    const headers = await test.headers();
    const { address, token } = busiest('ethereum', true);
    const read = async (start_date: string, end_date: string) =>
      (await ask(test, headers, '/tx-query', { address, token_contract: token, start_date, end_date })).body;
    const expected = { start_date: '2026-08-01T00:00:00.000Z', end_date: '2026-09-01T12:30:00.000Z' };
    expect(await read('2026-08-01T00:00:00', '2026-09-01T12:30:00')).toMatchObject(expected);
    expect(await read('2026-08-01', '2026-09-01 12:30:00Z')).toMatchObject(expected);
    expect(await read('2026-08-01T00:00Z', '2026-09-01T12:30')).toMatchObject(expected);
    expect(await read('2026-08-01T09:00:00+09:00', '2026-09-01T12:30:00.000Z')).toMatchObject(expected);
  });

  it('gives an empty answer for a span without transfers', async () => {
    const test = shared;
    const { address, token } = busiest('ethereum', true);
    const dates = { start_date: '2020-01-01T00:00:00Z', end_date: '2020-02-01T00:00:00Z' };
    const { status, body } = await ask(test, await test.headers(), '/tx-query', {
      address,
      token_contract: token,
      ...dates,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      total_transfers: 0,
      transfers: [],
      counterparties: [],
      truncated: false,
      reasons: [],
    });
    expect(body.token_symbol).toBe('USDT');
  });
});

describe('POST /contract-alert', () => {
  it.each(WITH_TOKENS)('looks at every transfer of the busiest token on %s', async (chain) => {
    const test = shared;
    const { token, dates } = busiest(chain, true);
    const [from, to] = [Date.parse(dates.start_date), Date.parse(dates.end_date)];
    const all = world.moves[chain].filter(
      (move) => move.token === token && !move.failed && move.at >= from && move.at <= to,
    );
    const { status, body } = await ask(test, await test.headers(), '/contract-alert', {
      token_contract: token,
      chain,
      ...dates,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ success: true, chain, token_contract: token, error: null, ...dates });
    if (chain === 'solana') {
      const note = 'Transfers may be missing: transfers that do not name the mint are not listed.';
      expect(body).toMatchObject({ truncated: true, reasons: ['unnamed_mint_not_listed'], note });
    } else {
      expect(body).toMatchObject({ truncated: false, reasons: [], note: null });
      expect(body.total_transfers_analyzed).toBe(all.length);
    }
    for (const flag of body.flagged_addresses) {
      expect(all.map(({ txHash }) => txHash)).toContain(flag.sample_tx_hash);
      expect(flag.tx_count).toBeGreaterThan(0);
      expect(flag.reason).not.toMatch(/[{}]/);
    }
  });

  it('names the bait and its victim in the story of address poisoning, in either language', async () => {
    const test = shared;
    const headers = await test.headers();
    const story = world.roles.filter((role) => role.chain === 'ethereum' && /poison/.test(role.story));
    const moves = world.moves.ethereum.filter(
      ({ token, from, to }) => token !== null && story.some(({ address }) => [from, to].includes(address)),
    );
    const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7';
    const last = Math.max(...moves.filter(({ token }) => token === usdt).map(({ at }) => at));
    const payload = { token_contract: usdt, ...until(last) };
    const english = (await ask(test, headers, '/contract-alert', payload)).body;
    const flagged = english.flagged_addresses.filter(
      (flag: { pattern_type: string }) => flag.pattern_type === 'address_poisoning',
    );
    const attackers = new Set(story.map(({ address }) => address));
    expect(flagged.length, JSON.stringify({ story, english })).toBeGreaterThan(0);
    for (const flag of flagged) expect(attackers).toContain(flag.address);
    expect(flagged[0].severity).toBe('HIGH');
    const japanese = (await ask(test, headers, '/contract-alert', { ...payload, lang: 'ja' })).body;
    expect(japanese.flagged_addresses.length).toBe(english.flagged_addresses.length);
    for (const flag of japanese.flagged_addresses) expect(flag.reason).toMatch(/[ぁ-んァ-ヶ一-龠]/);
  });

  it.each([
    ['ethereum', `0x${'77'.repeat(20)}`],
    ['solana', 'SysvarC1ock11111111111111111111111111111111'],
    ['tron', 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'],
  ] as const)('gives no symbol on %s for a token of which nothing was seen', async (chain, token_contract) => {
    const test = shared;
    const payload = { token_contract, chain, ...until(Date.parse('2026-06-01T00:00:00Z')) };
    const { status, body } = await ask(test, await test.headers(), '/contract-alert', payload);
    expect([status, body.total_transfers_analyzed, body.token_symbol]).toEqual([200, 0, null]);
  });

  it('refuses the coin itself, a TRC-10 token and a token query on bitcoin', async () => {
    const test = shared;
    const headers = await test.headers();
    const dates = { start_date: '2026-08-01', end_date: '2026-09-01' };
    const coin = await ask(test, headers, '/contract-alert', { token_contract: 'native', chain: 'ethereum', ...dates });
    expect(coin.status).toBe(400);
    expect(coin.body.detail).toContain('/tx-query');
    const older = { token_contract: '1005501', chain: 'tron', ...dates };
    expect((await ask(test, headers, '/contract-alert', older)).body).toMatchObject({
      detail: 'token_contract must be a contract; TRC-10 tokens are for /tx-query',
    });
    const payload = { token_contract: roleOf(world, 'bitcoin', 'clean_saver').address, ...dates };
    const bitcoin = await ask(test, headers, '/contract-alert', payload);
    expect(bitcoin).toMatchObject({ status: 400, body: { detail: 'Token queries are not available on bitcoin' } });
  });
});

describe.each(['/tx-query', '/contract-alert'])('refusals of %s', (url) => {
  const body = {
    address: '0x28c6c06298d514db089934071355e5743bf21d60',
    token_contract: '0xdac17f958d2ee523a2206206994597c13d831ec7',
    start_date: '2026-06-03T00:00:00Z',
    end_date: '2026-09-01T00:00:00Z',
  };

  it('allows exactly 90 days, one millisecond more is 400', async () => {
    const test = shared;
    const headers = await test.headers();
    expect((await ask(test, headers, url, body)).status).toBe(200);
    const longer = await ask(test, headers, url, { ...body, end_date: '2026-09-01T00:00:00.001Z' });
    expect(longer).toMatchObject({ status: 400, body: { detail: 'Date range must not exceed 90 days' } });
  });

  it.each(['2026-06-03T00:00:00Z', '2026-06-02T23:59:59Z'])('400 when the end is %s', async (end_date) => {
    const test = shared;
    const { status, body: answer } = await ask(test, await test.headers(), url, { ...body, end_date });
    expect({ status, answer }).toMatchObject({
      status: 400,
      answer: { detail: 'end_date must be later than start_date' },
    });
  });

  it.each([
    [{ chain: 'dogecoin' }, 'Unsupported chain: dogecoin'],
    [{ token_contract: '0x12', chain: 'ethereum' }, 'Invalid token contract for ethereum'],
    [{ token_contract: ' ' }, 'token_contract is required'],
  ])('400 for %o', async (change, detail) => {
    const test = shared;
    const answer = await ask(test, await test.headers(), url, { ...body, ...change });
    expect(answer).toMatchObject({ status: 400, body: { detail } });
  });

  it.each(['start_date', 'end_date', 'token_contract'])('422 without %s', async (field) => {
    const test = shared;
    const answer = await ask(test, await test.headers(), url, { ...body, [field]: undefined });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([expect.objectContaining({ type: 'missing', loc: ['body', field] })]);
  });

  it.each(['yesterday', '2026-02-30', '2026-13-01T00:00:00Z', '', '1780444800'])(
    '422 for the date %j',
    async (start_date) => {
      const test = shared;
      const answer = await ask(test, await test.headers(), url, { ...body, start_date });
      expect(answer.status).toBe(422);
      expect(answer.body.detail).toEqual([
        expect.objectContaining({ type: 'datetime_parsing', loc: ['body', 'start_date'] }),
      ]);
    },
  );

  it('422 for a date that is a number, and for an unknown language', async () => {
    const test = shared;
    const headers = await test.headers();
    const number = await ask(test, headers, url, { ...body, start_date: 1_780_444_800 });
    expect(number.body.detail).toEqual([expect.objectContaining({ type: 'string_type', loc: ['body', 'start_date'] })]);
    const lang = await ask(test, headers, url, { ...body, lang: 'fr' });
    expect(lang.body.detail[0]).toMatchObject({ type: 'enum', loc: ['body', 'lang'] });
  });

  it('401 without a key', async () => {
    const test = shared;
    expect(await ask(test, {}, url, body)).toMatchObject({ status: 401, body: { detail: 'API key required' } });
  });

  it('400 with the reason when the source fails or none is configured', async () => {
    const test = await openApp();
    chains.servers.etherscan.inject({ status: 403, body: 'no' });
    const failed = await ask(test, await test.headers(), url, body);
    expect(failed).toMatchObject({ status: 400, body: { detail: 'Query failed: ethereum data source unavailable' } });
    const bare = await openApp({ ETHEREUM_RPC_URL: '', ETHEREUM_EXPLORER_URL: '', ETHEREUM_EXPLORER_STYLE: '' });
    const none = await ask(bare, await bare.headers(), url, body);
    expect(none).toMatchObject({ status: 400, body: { detail: 'No data source configured for ethereum' } });
  });
});

it('the documented example of each query is a request that the service takes', async () => {
  const test = shared;
  const { paths } = (await test.app.inject('/openapi.json')).json();
  for (const url of ['/tx-query', '/contract-alert']) {
    const { description, requestBody } = paths[`/api/v1${url}`].post;
    const [, example = ''] = /-d '(.*)' '/.exec(description) ?? [];
    const { required } = requestBody.content['application/json'].schema;
    expect(required).toEqual(expect.arrayContaining(['token_contract', 'start_date', 'end_date']));
    const { status, body } = await ask(test, await test.headers(), url, JSON.parse(example));
    expect(status, JSON.stringify(body)).toBe(200);
  }
});

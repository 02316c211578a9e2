import { describe, expect, it, onTestFinished } from 'vitest';
import { startChainServers } from '../../../fixtures/chain-servers/start.ts';
import type { Move } from '../../../fixtures/demo/model.ts';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { CHAINS, type Chain, isEvmChain, NATIVE_COIN } from '../../../src/domain/chain.ts';
import { chains, openApp, serveApp, shared, world } from '../../app/demo-world.ts';
import type { TestApp } from '../../app/test-app.ts';

serveApp();

async function scanTx(test: TestApp, headers: Record<string, string>, payload: object) {
  const reply = await test.app.inject({ method: 'POST', url: '/api/v1/scan/tx', headers, payload });
  return { status: reply.statusCode, body: reply.json() };
}

const scansUsed = async (test: TestApp, headers: Record<string, string>): Promise<number> =>
  (await test.app.inject({ url: '/api/v1/public/usage', headers })).json().scans_used;

/** The only movement of its transaction, between two parties that are not the same. */
function lonelyMove(chain: Chain, wanted: (move: Move) => boolean): Move {
  const counts = new Map<string, number>();
  for (const { txHash } of world.moves[chain]) counts.set(txHash, (counts.get(txHash) ?? 0) + 1);
  const found = world.moves[chain].find(
    (move) => counts.get(move.txHash) === 1 && move.from !== move.to && wanted(move),
  );
  if (!found) throw new RangeError(`no such move on ${chain}`);
  return found;
}

const saver = (chain: Chain) => roleOf(world, chain, 'clean_saver').address;
const coinMove = (chain: Chain) =>
  lonelyMove(chain, ({ kind, failed, to }) => kind === 'native' && !failed && to === saver(chain));
const ethereumBody = () => ({ tx_hash: coinMove('ethereum').txHash, chain: 'ethereum' });
const unknownHash: Record<Chain, string> = Object.fromEntries(
  CHAINS.map((chain) => [
    chain,
    isEvmChain(chain)
      ? `0x${'1'.repeat(64)}`
      : chain === 'solana'
        ? `3${'1'.repeat(20)}${'z'.repeat(66)}`
        : 'a'.repeat(64),
  ]),
) as Record<Chain, string>;

describe('200', () => {
  it.each(CHAINS)('scans who paid and who was paid on %s, with what moved, when and in which block', async (chain) => {
    const test = shared;
    const headers = await test.headers('enterprise');
    const move = coinMove(chain);
    const { status, body } = await scanTx(test, headers, { tx_hash: move.txHash, chain });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      success: true,
      chain,
      tx_hash: move.txHash,
      timestamp: new Date(move.at).toISOString(),
      status: 'success',
      asset: NATIVE_COIN[chain].symbol,
      amount: move.amount,
      sender: { address: move.from, chain, success: true, score_semantics: 'risk_0to100' },
      receiver: { address: move.to, chain, success: true },
    });
    expect(body.block_number).toBeGreaterThan(0);
    const party = { asset: NATIVE_COIN[chain].symbol, amount: move.amount };
    expect(body.participants).toEqual(
      expect.arrayContaining([
        { address: move.from, role: 'from', ...party },
        { address: move.to, role: 'to', ...party },
      ]),
    );
    expect(await scansUsed(test, headers)).toBe(2);
  });

  it('names who sent and received a TRC-20 token, not its contract', async () => {
    const test = shared;
    const move = lonelyMove('tron', ({ kind, failed }) => kind === 'token' && !failed);
    const { body } = await scanTx(test, await test.headers('enterprise'), { tx_hash: move.txHash, chain: 'tron' });
    expect(body.sender.address).toBe(move.from);
    expect(body.receiver.address).toBe(move.to);
    expect(body.amount).toBe(move.amount);
    const named = body.participants.map((one: { address: string }) => one.address);
    expect(named.sort()).toEqual([move.from, move.to].sort());
    expect(named).not.toContain(move.token);
  });

  it('names who sent and received an ERC-20 token, not its contract', async () => {
    const test = shared;
    const move = lonelyMove(
      'ethereum',
      ({ kind, failed, amount }) => kind === 'token' && !failed && Number(amount) > 0,
    );
    const { body } = await scanTx(test, await test.headers('enterprise'), { tx_hash: move.txHash, chain: 'ethereum' });
    expect([body.sender.address, body.receiver.address]).toEqual([move.from, move.to]);
    expect(body.amount).toBe(move.amount);
  });

  it('is free for parties that were scanned before, and a second call costs nothing', async () => {
    const test = await openApp();
    const headers = await test.headers('enterprise');
    const { from } = coinMove('ethereum');
    await test.app.inject({ url: '/api/v1/public/scan', headers, query: { address: from } });
    const first = await scanTx(test, headers, ethereumBody());
    expect(first.body.sender.cached).toBe(true);
    expect(first.body.receiver.cached).toBe(false);
    expect(await scansUsed(test, headers)).toBe(2);
    const again = await scanTx(test, headers, ethereumBody());
    expect([again.body.sender.cached, again.body.receiver.cached]).toEqual([true, true]);
    expect(await scansUsed(test, headers)).toBe(2);
  });

  it('records both scans, which can be read again', async () => {
    const test = shared;
    const headers = await test.headers('enterprise_trial');
    const { body } = await scanTx(test, headers, ethereumBody());
    const list = (await test.app.inject({ url: '/api/v1/public/scans', headers })).json();
    expect(list.scans.map((scan: { scan_id: string }) => scan.scan_id).sort()).toEqual(
      [body.sender.scan_id, body.receiver.scan_id].sort(),
    );
  });

  it('has no sender for newly mined coins and costs one scan', async () => {
    const test = shared;
    const headers = await test.headers('enterprise');
    const mined = world.bitcoin.txs.find((tx) => tx.confirmed && tx.inputs.every(({ address }) => address === null))!;
    const { status, body } = await scanTx(test, headers, { tx_hash: mined.txid, chain: 'bitcoin' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.sender).toBeNull();
    expect(body.receiver.address).toBe(mined.outputs.find(({ address }) => address !== null)!.address);
    expect(await scansUsed(test, headers)).toBe(1);
  });

  it('scans an address that paid itself once', async () => {
    const { ethereum } = world.evm;
    const tx = ethereum.txs.find(({ ok, to, from, value }) => ok && value > 0n && from === saver('ethereum') && to)!;
    const txs = ethereum.txs.map((one) => (one === tx ? { ...tx, to: tx.from } : one));
    const own = await startChainServers({ ...world, evm: { ...world.evm, ethereum: { ...ethereum, txs } } });
    onTestFinished(() => own.close());
    const test = await openApp(own.env);
    const headers = await test.headers('enterprise');
    const { status, body } = await scanTx(test, headers, { tx_hash: tx.hash, chain: 'ethereum' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.sender.address).toBe(tx.from);
    expect(body.sender).toEqual(body.receiver);
    expect(await scansUsed(test, headers)).toBe(1);
  });

  it('shows a failed transaction as failed', async () => {
    const test = shared;
    const failed = world.evm.ethereum.txs.find((tx) => !tx.ok && tx.to)!;
    const { status, body } = await scanTx(test, await test.headers('enterprise'), {
      tx_hash: failed.hash,
      chain: 'ethereum',
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ status: 'failed', sender: { address: failed.from } });
    expect(body.note).toContain('failed');
  });

  it('gives a pending transaction without a block, time or amount that could still change', async () => {
    const test = shared;
    const pending = world.bitcoin.txs.find((tx) => !tx.confirmed)!;
    const { status, body } = await scanTx(test, await test.headers('enterprise'), {
      tx_hash: pending.txid,
      chain: 'bitcoin',
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ status: 'pending', block_number: null, timestamp: null, amount: null });
    expect(body.note).toContain('not yet in a block');
    const wanted = [...pending.inputs, ...pending.outputs].flatMap(({ address }) => address ?? []);
    expect(new Set(body.participants.map((one: { address: string }) => one.address))).toEqual(new Set(wanted));
  });

  it('reports what an XRP partial payment delivered, and what it stated', async () => {
    const test = shared;
    const partial = world.xrp.txs.find(
      (tx) => tx.type === 'Payment' && tx.result === 'tesSUCCESS' && (Number(tx.fields.Flags) & 0x20000) !== 0,
    )!;
    const { status, body } = await scanTx(test, await test.headers('enterprise'), {
      tx_hash: partial.hash,
      chain: 'xrp',
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const delivered = partial.delivered as { value: string; currency: string };
    expect(body.amount).toBe(delivered.value);
    expect(body.participants.find((one: { role: string }) => one.role === 'to').amount).toBe(delivered.value);
    const stated = partial.fields.Amount as { value: string };
    expect(body.note).toContain(`it states ${stated.value} `);
  });

  it('lists the accounts of other XRP transactions with a note', async () => {
    const test = shared;
    const other = world.xrp.txs.find((tx) => tx.type === 'TrustSet')!;
    const { status, body } = await scanTx(test, await test.headers('enterprise'), {
      tx_hash: other.hash,
      chain: 'xrp',
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ asset: null, amount: null, receiver: null, sender: { address: other.account } });
    expect(body.participants[0]).toEqual({ address: other.account, role: 'from', asset: null, amount: null });
    expect(body.note).toContain('TrustSet');
  });

  it('writes detections in Japanese when asked', async () => {
    const test = shared;
    const bad = roleOf(world, 'ethereum', 'sanctioned').address;
    const move = lonelyMove(
      'ethereum',
      ({ kind, from, to, failed }) => kind === 'native' && !failed && [from, to].includes(bad),
    );
    const { body } = await scanTx(test, await test.headers('enterprise'), {
      tx_hash: move.txHash,
      chain: 'ethereum',
      lang: 'ja',
    });
    const side = [body.sender, body.receiver].find((scan) => scan.address === bad);
    expect(side.risk_level).toBe('CRITICAL');
    expect(side.detections[0].description).toMatch(/[ぁ-んァ-ヶ一-龠]/);
  });
});

describe('refusals', () => {
  it.each(['free', 'starter', 'pro', 'business'] as const)('403 on %s', async (plan) => {
    const test = shared;
    const { status, body } = await scanTx(test, await test.headers(plan), { tx_hash: 'x', chain: 'dogecoin' });
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { detail: 'Transaction-hash scan is an Enterprise feature.' },
    });
  });

  it.each(CHAINS)('400 for a hash of another form on %s', async (chain) => {
    const test = shared;
    const wrong = isEvmChain(chain) ? 'a'.repeat(64) : `0x${'a'.repeat(64)}`;
    const { status, body } = await scanTx(test, await test.headers('enterprise'), { tx_hash: wrong, chain });
    expect({ status, body }).toMatchObject({ status: 400, body: { detail: `Invalid transaction hash for ${chain}` } });
  });

  it.each(CHAINS)('404 for a hash that %s does not know, without a bill', async (chain) => {
    const test = shared;
    const headers = await test.headers('enterprise');
    const { status, body } = await scanTx(test, headers, { tx_hash: unknownHash[chain], chain });
    expect({ status, body }).toMatchObject({ status: 404, body: { detail: `Transaction not found on ${chain}` } });
    expect(await scansUsed(test, headers)).toBe(0);
  });

  it('400 for what is not a chain, and 422 for what is missing', async () => {
    const test = shared;
    const headers = await test.headers('enterprise');
    const { tx_hash } = ethereumBody();
    expect(await scanTx(test, headers, { tx_hash, chain: 'dogecoin' })).toMatchObject({
      status: 400,
      body: { detail: 'Unsupported chain: dogecoin' },
    });
    expect((await scanTx(test, headers, { tx_hash, chain: 'bnb' })).body.detail).toContain("BNB Smart Chain is 'bsc'");
    const missing = await scanTx(test, headers, { chain: 'ethereum' });
    expect(missing.status).toBe(422);
    expect(missing.body.detail[0]).toMatchObject({ type: 'missing', loc: ['body', 'tx_hash'] });
    expect((await scanTx(test, headers, { tx_hash })).body.detail[0].loc).toEqual(['body', 'chain']);
  });

  it('429 before anything is billed when the quota holds one scan and two are needed', async () => {
    const test = shared;
    const { key, accountId } = await test.issue('enterprise_trial');
    const headers = { 'x-api-key': key };
    await test.ctx.records
      .insertInto('quota_months')
      .values({ account_id: accountId, period: '2026-11', used: 99 })
      .execute();
    const { status, body } = await scanTx(test, headers, ethereumBody());
    expect({ status, body }).toMatchObject({
      status: 429,
      body: { detail: '今月のスキャン上限に達しました（使用済み: 99 / 上限: 100）。' },
    });
    expect(await scansUsed(test, headers)).toBe(99);
    expect((await test.app.inject({ url: '/api/v1/public/scans', headers })).json().total).toBe(0);
  });

  it('500 when the source fails, without a bill', async () => {
    const test = await openApp();
    const headers = await test.headers('enterprise');
    chains.servers.esplora.inject({ status: 403, body: 'no' });
    const { txHash } = coinMove('bitcoin');
    const { status, body } = await scanTx(test, headers, { tx_hash: txHash, chain: 'bitcoin' });
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { detail: 'Scan failed: bitcoin data source unavailable' },
    });
    expect(await scansUsed(test, headers)).toBe(0);
  });

  it('500 at the deadline, and 500 where no source is configured', async () => {
    const slow = await openApp({ SCAN_DEADLINE_MS: '300' });
    chains.servers.esplora.inject({ delayMs: 2_000 });
    const body = { tx_hash: coinMove('bitcoin').txHash, chain: 'bitcoin' };
    const ended = await scanTx(slow, await slow.headers('enterprise'), body);
    expect(ended).toMatchObject({ status: 500, body: { detail: 'Scan timed out. Use the asynchronous endpoint.' } });
    const bare = await openApp({ BITCOIN_ESPLORA_URL: '' });
    const none = await scanTx(bare, await bare.headers('enterprise'), body);
    expect(none).toMatchObject({ status: 500, body: { detail: 'No data source configured for bitcoin' } });
  });
});

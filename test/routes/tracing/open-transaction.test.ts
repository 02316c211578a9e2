import { describe, expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { addAmounts, formatUnits } from '../../../src/domain/amount.ts';
import { CHAINS } from '../../../src/domain/chain.ts';
import { chains, openApp, serveWorld, world } from '../../app/demo-world.ts';
import type { TestApp } from '../../app/test-app.ts';

serveWorld();

async function open(test: TestApp, chain: string, hash: string, given?: Record<string, string>) {
  const headers = given ?? (await test.headers('enterprise'));
  const reply = await test.app.inject({ url: `/api/v1/graph/transaction/${hash}/parts`, query: { chain }, headers });
  const used = (await test.app.inject({ url: '/api/v1/public/usage', headers })).json().scans_used;
  return { status: reply.statusCode, body: reply.json(), used };
}

const sumOf = (coins: { amount: string }[]) => coins.reduce((sum, { amount }) => addAmounts(sum, amount), '0');
const { txs } = world.bitcoin;

describe('of Bitcoin', () => {
  it('inputs are the outputs and the fee, of ordinary, joint, equal, data and mined ones', async () => {
    const test = await openApp();
    const roles = ['multi_sender', 'equal_outputs', 'data_output', 'coinbase', 'peel_chain', 'wallet_of_forty'];
    const own = new Set(roles.map((role) => roleOf(world, 'bitcoin', role).address));
    const wanted = txs.filter(({ inputs, outputs }) =>
      [...inputs, ...outputs].some((one) => own.has(one.address ?? '')),
    );
    expect(wanted.length).toBeGreaterThan(8);
    for (const { txid, inputs, outputs, fee } of wanted) {
      const { body, used } = await open(test, 'bitcoin', txid);
      const addresses = (coins: { address: string | null }[]) => coins.map(({ address }) => address).sort();
      expect(addresses(body.outputs)).toEqual(addresses(outputs));
      const isMined = inputs.some(({ address }) => address === null);
      expect(addresses(body.inputs)).toEqual(isMined ? [] : addresses(inputs));
      if (isMined) expect(body.fee).toBeNull();
      else expect(addAmounts(sumOf(body.outputs), body.fee.amount)).toBe(sumOf(body.inputs));
      if (!isMined) expect(Number(body.fee.amount)).toBeCloseTo(fee / 1e8, 8);
      expect([body.transfers, body.call, used]).toEqual([null, null, 0]);
    }
  });

  it('marks as own what goes back to a payer or to an address of its holder', async () => {
    const test = await openApp();
    const back = txs.find(({ inputs, outputs }) =>
      inputs.some((one) => outputs.some(({ address }) => address === one.address)),
    )!;
    const { body } = await open(test, 'bitcoin', back.txid);
    const payers = new Set(back.inputs.map(({ address }) => address));
    for (const { address, part } of body.outputs) expect(part).toBe(payers.has(address) ? 'own' : 'payment');

    const purse = roleOf(world, 'bitcoin', 'wallet_of_forty').address;
    const [bills] = txs.filter(({ inputs }) => inputs.some(({ address }) => address === purse));
    const headers = await test.headers('enterprise');
    const partsOf = async (hash: string) =>
      (await open(test, 'bitcoin', hash, headers)).body.outputs.map(({ part }: { part: string }) => part).sort();
    expect(await partsOf(bills!.txid)).toEqual(['payment', 'payment']);
    await test.app.inject({ url: '/api/v1/public/scan', query: { address: purse, chain: 'bitcoin' }, headers });
    expect(await partsOf(bills!.txid)).toEqual(['own', 'payment']);
  });

  it('marks as change what signs alone call so', async () => {
    const test = await openApp();
    const [{ txid, inputs }] = [txs.find(({ inputs: [first] }) => first?.address?.startsWith('bc1q'))!];
    const fresh = roleOf(world, 'bitcoin', 'one_key').address;
    expect(fresh).toMatch(/^bc1q/);
    const coin = (address: string, value: number) => ({ scriptpubkey_address: address, value });
    const body = JSON.stringify({
      txid,
      vin: [{ is_coinbase: false, prevout: coin(inputs[0]!.address!, 5_000_000) }],
      vout: [coin('39Pt6nkWqitAZLZBrRoZ2T96T5e6pw6SJL', 3_000_000), coin(fresh, 1_998_765)],
      status: { confirmed: true, block_height: 800_000, block_hash: '0'.repeat(64), block_time: 1_700_000_000 },
    });
    chains.servers.esplora.inject({ match: `/tx/${txid}`, status: 200, body });
    const { body: answer } = await open(test, 'bitcoin', txid);
    expect(answer.outputs.map(({ part }: { part: string }) => part)).toEqual(['payment', 'change']);
  });

  it('names who has been read, and of a payment that waits for its block neither time nor dollars', async () => {
    const test = await openApp();
    const waiting = txs.find(({ confirmed }) => !confirmed)!;
    const { body } = await open(test, 'bitcoin', waiting.txid);
    expect(body).toMatchObject({ status: 'pending', block_number: null, timestamp: null });
    expect([...body.inputs, ...body.outputs].map(({ usd }) => usd)).toEqual(
      Array(body.inputs.length + body.outputs.length).fill(null),
    );
    expect(addAmounts(sumOf(body.outputs), body.fee.amount)).toBe(sumOf(body.inputs));
    const headers = await test.headers('enterprise');
    const [{ address }] = body.inputs;
    await test.app.inject({ url: '/api/v1/public/scan', query: { address, chain: 'bitcoin' }, headers });
    const { body: again } = await open(test, 'bitcoin', waiting.txid, headers);
    const read = again.addresses.filter((one: { read: boolean }) => one.read);
    expect(read.map((one: { address: string }) => one.address)).toEqual([address]);
  });
});

describe('of other chains', () => {
  const movedIn = (chain: (typeof CHAINS)[number], hash: string) =>
    world.moves[chain].filter(({ txHash, failed, amount }) => txHash === hash && !failed && Number(amount) > 0);

  it.each(CHAINS.filter((chain) => chain !== 'bitcoin'))(
    'lists what moved on %s as the chain has it',
    async (chain) => {
      const test = await openApp();
      const hashes = [...new Set(world.moves[chain].map(({ txHash }) => txHash))].slice(-12);
      for (const hash of hashes) {
        const { body, used } = await open(test, chain, hash);
        expect(body, hash).toMatchObject({ chain, tx_hash: hash, inputs: null, outputs: null });
        const lineOf = (one: { from: string | null; to: string | null; amount: string }) =>
          [one.from, one.to, one.amount].join();
        expect(body.transfers.map(lineOf).sort()).toEqual(movedIn(chain, hash).map(lineOf).sort());
        expect(used).toBe(0);
      }
    },
  );

  it('names the contract that was called, by what method, and what it paid on', async () => {
    const test = await openApp();
    const payer = roleOf(world, 'ethereum', 'internal_transfers').address;
    const { hash, to, gasUsed, gasPrice } = world.evm.ethereum.txs.find(({ from, ok }) => from === payer && ok)!;
    const { body } = await open(test, 'ethereum', hash);
    expect(body.call).toEqual({ from: payer, to, method: 'multicall' });
    expect(body.fee).toEqual({
      amount: formatUnits(BigInt(gasUsed) * gasPrice, 18),
      asset: 'ETH',
      payer,
    });
    const [paid, ...on] = body.transfers;
    expect([paid.kind, on.map(({ kind }: { kind: string }) => kind)]).toEqual(['native', ['internal', 'internal']]);
    expect(sumOf(on)).toBe(paid.amount);
    expect(body.addresses.map(({ address }: { address: string }) => address)).toContain(to);
  });
});

describe('refusals', () => {
  it('does not know a hash that the chain does not, and refuses other texts', async () => {
    const test = await openApp();
    expect(await open(test, 'bitcoin', 'a'.repeat(64))).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await open(test, 'bitcoin', 'nothing')).toMatchObject({ status: 400 });
    expect(await open(test, 'nowhere', 'a'.repeat(64))).toMatchObject({ status: 400 });
  });

  it('says that a source fails, and bills nothing', async () => {
    const test = await openApp();
    chains.servers.esplora.inject({ status: 500 });
    expect(await open(test, 'bitcoin', txs[0]!.txid)).toMatchObject({ status: 500, used: 0 });
  });
});

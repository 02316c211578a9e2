import '../setup/seed.ts';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { transfersLoader } from '../../graph-loaders/transfers/transfers.ts';
import { withoutFormula } from '../../src/domain/text/formula.ts';
import { assetName } from '../../src/domain/tokens/token.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { TRANSFER_CSV_COLUMNS } from '../../src/domain/transfers/transfer-csv.ts';
import { transferId } from '../../src/domain/transfers/transfer-id.ts';
import { csvHeader, csvRows, transferRows } from '../../src/exports/csv.ts';
import { fileOf, openWork } from './loading.ts';

const { hashes } = vi.hoisted(() => ({ hashes: { made: 0 } }));
vi.mock('@noble/hashes/sha2.js', async (original) => {
  const real = await original<typeof import('@noble/hashes/sha2.js')>();
  const counted = (bytes: Uint8Array) => {
    hashes.made += 1;
    return real.sha256(bytes);
  };
  return { ...real, sha256: counted };
});

const HOSTILE = [
  '=cmd()',
  "'=1",
  '+1',
  '-x',
  '@sum',
  'A;=1',
  'A; =1',
  "A;'=1",
  '"q"',
  'a,b',
  "''-",
  'ＡＢ',
  '＝1',
  "it's",
];
const evm = fc.stringMatching(/^[0-9a-f]{40}$/).map((hex) => `0x${hex}`);
const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.stringMatching(/^[0-9]{0,17}[1-9]$/))
  .map(([whole, rest]) => `${whole}.${rest}`);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const symbol = fc.oneof(fc.constantFrom(...HOSTILE, 'USDT', 'ETH', 'UЅDT'), fc.string({ minLength: 1, maxLength: 40 }));

const transfers = fc
  .record({
    txHash: fc.stringMatching(/^[0-9a-f]{64}$/).map((hex) => `0x${hex}`),
    index: maybe(fc.constantFrom('native', 'log:12', 'trace:0_1', '-1', '3', `in:${'b'.repeat(62)}`)),
    seq: maybe(fc.nat()),
    block: maybe(fc.nat()),
    blockHash: maybe(fc.constant(`0x${'ab'.repeat(32)}`)),
    position: maybe(fc.nat({ max: 999_999 })),
    at: fc.integer({ min: 1_300_000_000_000, max: 1_700_000_000_000 }),
    from: evm,
    to: evm,
    contract: maybe(evm),
    symbol,
    amount,
    decimals: maybe(fc.constantFrom(18, 24)),
    usd: maybe(fc.double({ min: 0, max: 1e12, noNaN: true })),
    kind: fc.constantFrom('token', 'internal', 'nft') as fc.Arbitrary<Transfer['kind']>,
    assetType: maybe(fc.constantFrom('erc721', 'erc1155')) as fc.Arbitrary<Transfer['assetType']>,
    tokenId: maybe(fc.constantFrom('0', '77', '-5')),
    txSender: maybe(evm),
    method: maybe(fc.oneof(fc.constantFrom(...HOSTILE, '0xa9059cbb'), fc.string({ minLength: 1, maxLength: 20 }))),
    fee: maybe(amount),
    feePayer: maybe(evm),
    feeShare: maybe(amount),
    apportioned: fc.boolean(),
    number: fc.nat({ max: 3 }),
  })
  .map(({ contract: token, symbol, method, number, ...given }) => {
    const whole = createTransfer({
      ...given,
      chain: 'ethereum',
      token,
      asset: assetName('ethereum', token, symbol),
      // Cells are trimmed, and a line that is not text is refused.
      method: method?.replaceAll(/[\0\uFFFD]/g, '').trim() || null,
      decimals: token === null ? 18 : given.decimals,
      amountRaw: null,
    });
    const raw = whole.decimals === null ? null : whole.amount.replace('.', '').replace(/^0+/, '');
    const digits = whole.amount.split('.')[1]!.length;
    const amountRaw = raw === null ? null : raw + '0'.repeat(whole.decimals! - digits);
    const numbered = { ...whole, amountRaw };
    return { ...numbered, id: transferId(numbered, number) };
  });

async function rowsOf(transfers: Transfer[]): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const some of transferRows(transfers, 500)) rows.push(...some);
  return rows;
}

async function loaded(rows: readonly string[][]): Promise<{ transfers: Transfer[]; errors: unknown[] }> {
  const work = await openWork('transfers', fileOf('t.csv', csvHeader(TRANSFER_CSV_COLUMNS) + csvRows(rows)));
  const found: Transfer[] = [];
  for await (const transfer of transfersLoader.read(work)) found.push(transfer);
  return { transfers: found, errors: work.tally.errors };
}

describe('transfers that were exported', () => {
  it('are the same facts when they are loaded, and no cell is a formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(transfers, { minLength: 1, maxLength: 20 }), async (given) => {
        const rows = await rowsOf(given);
        for (const cell of rows.flat()) expect(withoutFormula(cell)).toBe(cell.trimStart());
        expect(await loaded(rows)).toEqual({ transfers: given, errors: [] });
      }),
      { numRuns: 60 },
    );
  });

  it('keep CoinJoin transactions, sides of exchanges, tags and tokens known by their name alone', async () => {
    const bitcoin = { chain: 'bitcoin', txHash: 'ab'.repeat(32), asset: 'BTC', decimals: 8 } as const;
    const [payer, receiver] = ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', '1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp'];
    const xrp = { chain: 'xrp', txHash: 'CD'.repeat(32) } as const;
    const [one, other] = ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'];
    const at = 1_600_000_000_000;
    const given = [
      createTransfer({
        ...bitcoin,
        at,
        from: payer,
        to: `coinjoin:${bitcoin.txHash}`,
        amount: '0.5',
        amountRaw: '50000000',
        kind: 'native',
      }),
      createTransfer({
        ...bitcoin,
        at,
        from: `coinjoin:${bitcoin.txHash}`,
        to: receiver,
        amount: '0.5',
        amountRaw: '50000000',
        kind: 'native',
      }),
      createTransfer({
        ...xrp,
        at,
        from: one,
        to: `tx:${xrp.txHash}`,
        asset: 'XRP',
        amount: '3',
        amountRaw: '3000000',
        decimals: 6,
        kind: 'dex',
      }),
      createTransfer({
        ...xrp,
        at,
        from: one,
        to: other,
        asset: 'XRP',
        amount: '3',
        amountRaw: '3000000',
        decimals: 6,
        kind: 'native',
        destinationTag: 7,
        sourceTag: 0,
      }),
      createTransfer({ ...xrp, at, from: one, to: other, asset: 'SHADY', token: 'SHADY', amount: '3', kind: 'token' }),
    ];
    expect(await loaded(await rowsOf(given))).toEqual({ transfers: given, errors: [] });
  });

  it('are counted among thousands of equals with a few digests a row, also where ids are of another origin', async () => {
    const [from, to] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];
    const fields = {
      chain: 'ethereum',
      txHash: `0x${'07'.repeat(32)}`,
      asset: 'ETH',
      amount: '1',
      kind: 'internal',
    } as const;
    const one = createTransfer({
      ...fields,
      at: 1_600_000_000_000,
      from,
      to,
      amountRaw: `1${'0'.repeat(18)}`,
      decimals: 18,
    });
    const equals = Array.from({ length: 3_000 }, (_, n) => ({ ...one, id: transferId(one, 2_999 - n) }));
    const strange = Array.from({ length: 3_000 }, (_, n) => ({
      ...one,
      txHash: `0x${String(n).padStart(64, '0')}`,
      id: `x${n}`,
    }));
    hashes.made = 0;
    const rows = await rowsOf([...strange, ...equals]);
    expect(hashes.made).toBeLessThan(3 * rows.length);
    const { transfers: back, errors } = await loaded(rows.slice(3_000));
    expect(errors).toEqual([]);
    expect(back.map(({ id }) => id)).toEqual(equals.map(({ id }) => id));
  });
});

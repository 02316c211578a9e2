import { describe, expect, it } from 'vitest';
import { bitcoinEtlLoader } from '../../graph-loaders/transfers/bitcoin-etl.ts';
import { scriptAddress } from '../../src/domain/address/script-address.ts';
import { graphStats } from '../../src/graph/queries/stats.ts';
import { fileOf, openLoading, openWork, SHARED_MISSING, shared } from './loading.ts';

const A = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const B = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const C = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const hash = (n: number) => n.toString(16).padStart(64, '0');

function line(n: number, change: Record<string, unknown> = {}): string {
  return JSON.stringify({
    hash: hash(n),
    block_number: 700_000,
    block_hash: hash(999),
    block_timestamp: 1_700_000_000,
    is_coinbase: false,
    inputs: [{ index: 0, addresses: [A], value: 300 }],
    outputs: [
      { index: 0, addresses: [B], value: 200 },
      { index: 1, addresses: [A], value: 90 },
    ],
    ...change,
  });
}

/** An output without a script. */
const noParty = { outputs: [{ addresses: [], value: 200 }] };

async function found(work: Awaited<ReturnType<typeof openWork>>): Promise<string[]> {
  const payments: string[] = [];
  for await (const { from, to, amountRaw } of bitcoinEtlLoader.read(work)) payments.push(`${from} ${to} ${amountRaw}`);
  return payments;
}

describe('bitcoin-etl', () => {
  it('makes of each transaction the transfers that the chain would give, without change', async () => {
    const loading = await openLoading();
    const shared = {
      inputs: [
        { addresses: [A], value: 100 },
        { addresses: [C.toUpperCase()], value: 300 },
      ],
      outputs: [
        { addresses: [B], value: 400 },
        { addresses: ['nonstandard4f1c'], value: 0 },
        { addresses: [A, B], value: 0 },
      ],
    };
    const file = fileOf('t.json', [line(1), line(2, shared), line(3, { is_coinbase: true, inputs: [] })].join('\n'));
    const report = await loading.load('bitcoin-etl', file);
    expect(report).toEqual({ source: 'bitcoin-etl', read: 3, loaded: 3, skipped: 0, errors: [] });
    const list = fileOf('t.json', `[${line(1)},\n${line(2, shared)}, ${line(3, { is_coinbase: true, inputs: [] })}]`);
    expect(await loading.load('bitcoin-etl', list)).toEqual(report);
    const rows = await loading.graph.read('scan/read-transfers', { key: `bitcoin:${B}`, limit: 10 });
    const facts = rows.map((row) => [
      (row.transfer as { tx_hash: string }).tx_hash,
      row.from_address,
      (row.transfer as { amount: string }).amount,
    ]);
    expect(facts.sort()).toEqual([
      [hash(1), A, '0.000002'],
      [hash(2), A, '0.000001'],
      [hash(2), C, '0.000003'],
      [hash(3), 'coinbase', '0.000002'],
    ]);
  });

  // Exports of Bitcoin Core 22 and later call outputs of any script `nonstandard…`, by the hash of the script.
  it('money to and from scripts that the export does not name goes to the parties of the scripts', async () => {
    const scripts = {
      '0014751e76e8199196d454941c45d1b3a323f1433bd6': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798':
        'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      [`76a914${'00'.repeat(20)}88ac`]: '1111111111111111111114oLvT2',
      [`21${'02'.repeat(33)}ac`]: scriptAddress(`21${'02'.repeat(33)}ac`),
      [`5121${'02'.repeat(33)}21${'03'.repeat(33)}52ae`]: scriptAddress(
        `5121${'02'.repeat(33)}21${'03'.repeat(33)}52ae`,
      ),
    };
    const lines = Object.keys(scripts).flatMap((script_hex, n) => {
      const addresses = n === 4 ? [A, B] : [`nonstandard${n}`];
      const paid = line(2 * n + 1, { outputs: [{ script_hex, addresses, value: 200 }] });
      const spent = line(2 * n + 2, { inputs: [{ addresses, value: 200 }], outputs: [{ addresses: [C], value: 150 }] });
      return [paid, spent];
    });
    const work = await openWork('bitcoin-etl', fileOf('t.json', lines.join('\n')));
    expect(await found(work)).toEqual(
      Object.values(scripts).flatMap((address) => [`${A} ${address} 200`, `${address} ${C} 150`]),
    );
    expect(work.tally.errors).toEqual([]);
  });

  const SCRIPT = `0014${'07'.repeat(20)}`;
  const paid = line(1, { outputs: [{ script_hex: SCRIPT, addresses: ['nonstandard7'], value: 200 }] });
  const spent = line(2, {
    inputs: [
      { addresses: ['nonstandard7'], value: 200 },
      { addresses: [A], value: 100 },
    ],
    outputs: [{ addresses: [B], value: 240 }],
  });

  it('money of an input whose script no line gives has no payer until a load knows it, and then counts once', async () => {
    const loading = await openLoading();
    const alone = await loading.load('bitcoin-etl', fileOf('t.json', [spent, line(3, noParty)].join('\n')));
    expect(alone.errors.map(({ reason }) => reason)).toEqual([
      '1 transactions have inputs of no address, and what those paid is left out: load them in one folder with the transactions that they spend from, the earlier ones first.',
      '1 transactions have outputs of no address and no script, and what those received is left out.',
    ]);
    const payers = async () => {
      const rows = await loading.graph.read('scan/read-transfers', { key: `bitcoin:${B}`, limit: 10 });
      return rows.map((row) => `${row.from_address} ${(row.transfer as { amount: string }).amount}`).sort();
    };
    expect(await payers()).toEqual([`${A} 0.0000008`]);
    const whole = await loading.load('bitcoin-etl', fileOf('t.json', [paid, spent].join('\n')));
    expect(whole.errors).toEqual([]);
    expect(await payers()).toEqual([`${A} 0.0000008`, `${scriptAddress(SCRIPT)} 0.0000016`]);
  });

  it('says how many outputs came after the last script that it remembers', async () => {
    const named = (n: number) => ({
      script_hex: `03${n.toString(16).padStart(6, '0')}`,
      addresses: [`nonstandard${n}`],
    });
    const many = Array.from({ length: 2_050 }, (_, nth) =>
      line(10 + nth, {
        inputs: [{ addresses: ['nonstandard'], value: 101 }],
        outputs: Array.from({ length: 100 }, (_, n) => ({ ...named(nth * 100 + n), value: 1 })),
      }),
    );
    const work = await openWork('bitcoin-etl', fileOf('t.json', many.join('\n')));
    expect(await found(work)).toEqual([]);
    expect(work.tally.errors.at(-1)?.reason).toBe(
      'Of outputs without an address 200000 scripts are remembered, and 5000 outputs had others: what is spent from those has no payer. Load fewer transactions at a time.',
    );
  });

  it('each line that cannot be read is named and stops nothing', async () => {
    const loading = await openLoading();
    const report = await loading.load(
      'bitcoin-etl',
      fileOf(
        't.json',
        [
          '{"hash":',
          '[1]',
          '{"type":"block"}',
          line(1, { hash: 'x' }),
          line(2, { block_timestamp: null }),
          line(3, { block_number: -1 }),
          line(4, { inputs: [{ addresses: [], value: null }] }),
          line(5, { outputs: [{ addresses: [B], value: 1.5 }] }),
          line(6, { outputs: [{ addresses: ['DDTtqnuZ5kfRT5qh2c7sNtqrJmV3iXYdGG'], value: 1 }] }),
          '',
          line(7),
        ].join('\n'),
      ),
    );
    expect(report).toMatchObject({ read: 10, loaded: 1, skipped: 9 });
    expect(report.errors.map((error) => error.line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(report.errors[6]?.reason).toBe('input 0 has no value: export with enrich_transactions');
    expect(report.errors[8]?.reason).toBe(
      'output 0: DDTtqnuZ5kfRT5qh2c7sNtqrJmV3iXYdGG is not a valid bitcoin address',
    );
    expect((await graphStats(loading.graph)).transfers).toBe(1);
  });

  it('reads a number as any export writes it', async () => {
    const loading = await openLoading();
    const texts = {
      block_number: '700000',
      block_timestamp: '2023-11-14 22:13:20 UTC',
      is_coinbase: 'false',
      index: '7',
      inputs: [{ index: '0', addresses: [A], value: '300.0' }],
      outputs: [{ index: '0', addresses: [B], value: '2E2' }],
    };
    const moments = ['1700000000', '1700000000000', '1700000000000000', '1.7E9', '2023-11-14T22:13:20+00'];
    const lines = [line(1, texts), ...moments.map((at, n) => line(2 + n, { ...texts, block_timestamp: at }))];
    const mined = line(9, { ...texts, is_coinbase: 'True', inputs: [] });
    const report = await loading.load('bitcoin-etl', fileOf('t.json', [...lines, mined].join('\n')));
    expect(report).toMatchObject({ read: 7, loaded: 7 });
    const rows = await loading.graph.read('scan/read-transfers', { key: `bitcoin:${B}`, limit: 10 });
    expect(rows.map(({ transfer }) => transfer)).toMatchObject(
      Array(7).fill({ amount: '0.000002', at: 1_700_000_000_000, block: 700_000, position: 7 }),
    );
    expect(rows.map(({ from_address }) => from_address).sort()).toEqual([...Array(6).fill(A), 'coinbase']);
  });

  it('reads a transaction whose line is longer than other files may have', async () => {
    const loading = await openLoading();
    const inputs = Array.from({ length: 3_000 }, () => ({ script_hex: 'ab'.repeat(40), addresses: [A], value: 1 }));
    const outputs = [{ addresses: [B], value: 3_000 }];
    const report = await loading.load('bitcoin-etl', fileOf('t.json', line(1, { inputs, outputs })));
    expect(report).toMatchObject({ read: 1, loaded: 1 });
    expect((await graphStats(loading.graph)).transfers).toBe(1);
  });
});

describe.skipIf(SHARED_MISSING)('real exports of bitcoin-etl (the shared test data)', () => {
  // wc -l over expected_transactions.json: 1 + 1 + 4 + 1 + 4 lines; two of block_with_transactions are not enriched.
  // By hand: seven different transactions, five of them coinbases with one output, one with one sender and one with
  // two, each to one receiver: 5 + 1 + 2 transfers. Six receivers, three senders and `coinbase`: 10 addresses.
  it('loads what the files hold, twice without a change', async () => {
    const loading = await openLoading();
    const report = await loading.load('bitcoin-etl', shared('bitcoin-etl'));
    expect(report).toMatchObject({ source: 'bitcoin-etl', read: 11, loaded: 9, skipped: 2 });
    for (const { reason } of report.errors) expect(reason).toMatch(/block_with_transactions.*enrich_transactions$/);
    const stats = await graphStats(loading.graph);
    expect(stats).toMatchObject({ transfers: 8, addresses: 10 });
    const rows = await loading.graph.read('scan/read-transfers', {
      key: 'bitcoin:1HaHTfmvoUW6i6nhJf8jJs6tU4cHNmBQHQ',
      limit: 10,
    });
    expect(rows.map((row) => (row.transfer as { amount: string }).amount).sort()).toEqual(['50', '50', '50']);
    await loading.load('bitcoin-etl', shared('bitcoin-etl'));
    expect(await graphStats(loading.graph)).toEqual(stats);
  });
});

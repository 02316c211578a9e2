import { describe, expect, it } from 'vitest';
import { joinMarket, preparation, wasabiOne, wasabiTwo } from '../../fixtures/coinjoin-rounds.ts';
import { coinJoinLabel, isCoinJoin } from '../../src/domain/coinjoin/transaction.ts';
import type { Category, Label } from '../../src/domain/label.ts';
import { type UtxoParty, type UtxoTransaction, utxoTransfers } from '../../src/domain/transfers/utxo.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { DAY, inputOf, label, severities, T0 } from './world.ts';

const SUBJECT = 'bc1qsubject';
const LISTED = 'bc1qlisted';
let serial = 0;

function spend(inputs: Record<string, number>, outputs: Record<string, number>): UtxoTransaction {
  serial += 1;
  const sides = (parties: Record<string, number>) =>
    Object.entries(parties).map(([address, value]) => ({ address, value: BigInt(value) }));
  const place = { txHash: serial.toString(16).padStart(64, '0'), block: serial, blockHash: 'ab'.repeat(32) };
  return { ...place, at: T0 + serial * DAY, coinbase: false, inputs: sides(inputs), outputs: sides(outputs) };
}

/** Judged by what a source gives of each transaction: what touches the subject. */
function judge(transactions: UtxoTransaction[], category: Category = 'theft', more: Partial<Label> = {}) {
  const transfers = transactions
    .flatMap((tx) => utxoTransfers(tx, SUBJECT).transfers)
    .map((transfer) => ({ ...transfer, usd: Number(transfer.amount) * 60_000 }));
  const coinJoins = [...new Set(transfers.flatMap(({ from, to }) => [from, to]))].filter(isCoinJoin).map(coinJoinLabel);
  const labels = [...coinJoins, label(LISTED, category, { chain: 'bitcoin', address: LISTED, ...more })];
  const input = inputOf(transfers, { chain: 'bitcoin', labels });
  return assess({ ...input, subject: { ...input.subject, address: SUBJECT } });
}

const found = (...args: Parameters<typeof judge>) => severities(judge(...args), 'co_spent_with_listed');
const joint = () => spend({ [SUBJECT]: 5_000_000, [LISTED]: 70_000_000 }, { bc1qshop: 74_000_000, bc1qrest: 900_000 });
const loot = { [LISTED]: 5_000_000_000, [SUBJECT]: 5_000_000_000 };
const kept = { bc1qa: 6_000_000_000, bc1qb: 3_999_000_000 };
const signedOpen = (tx: UtxoTransaction, signer: string): UtxoTransaction => ({
  ...tx,
  inputs: tx.inputs.map((input) => (input.address === signer ? { ...input, open: true } : input)),
});
const payjoin = () => spend({ [SUBJECT]: 3_000, [LISTED]: 9_000 }, { bc1qmerchant: 8_000, bc1qchange: 3_900 });
const funding = () => {
  const put = { [LISTED]: 900_000, [SUBJECT]: 700_000 };
  return spend(put, { [`bc1q${'q'.repeat(58)}`]: 1_000_000, bc1qa: 350_000, bc1qb: 249_000 });
};

describe('spending together with a listed address', () => {
  it('is HIGH whatever part was the own one, names the other and its list, and does not count what others did', () => {
    const assessment = judge([joint()]);
    expect(assessment.risk_level).toBe('HIGH');
    const [detection] = assessment.detections.filter((one) => one.detector_id === 'co_spent_with_listed');
    expect(detection?.details).toMatchObject({ counterparties: [LISTED], labels: [{ address: LISTED }] });
    expect(detection?.details.measured).toMatchObject({ transactions: 1, address: LISTED });
    expect(Number(detection?.details.measured.usd)).toBeCloseTo(0.05 * 60_000, -3);
    expect(detection?.description).toContain(LISTED);
    expect(found([joint()], 'sanctioned')).toEqual(['HIGH']);
  });

  it('is one finding for a holder whose other members are listed, where none of them paid beside it', () => {
    const own = () => spend({ [SUBJECT]: 5_000_000, bc1qown: 70_000_000 }, { bc1qshop: 74_000_000, bc1qrest: 900_000 });
    const spent = own();
    const clusterOf = (txHash: string, more: Partial<Label> = {}) => {
      const { transfers } = utxoTransfers(spent, SUBJECT);
      const labels = ['bc1qlisted', 'bc1qlisted2'].map((address) =>
        label(address, 'theft', { chain: 'bitcoin', address, ...more }),
      );
      const input = inputOf(transfers, { chain: 'bitcoin', labels });
      const cluster = { size: 40, listed: ['bc1qlisted', 'bc1qlisted2'], txHash };
      return assess({ ...input, cluster, subject: { ...input.subject, address: SUBJECT } });
    };
    const judged = clusterOf(spent.txHash);
    expect(severities(judged, 'co_spent_with_listed')).toEqual(['HIGH']);
    const [detection] = judged.detections.filter((one) => one.detector_id === 'co_spent_with_listed');
    expect(detection?.details).toMatchObject({
      variant: 'cluster',
      counterparties: [LISTED],
      measured: { addresses: 40 },
    });
    expect(detection?.description).toContain('40 addresses');
    expect(severities(clusterOf(spent.txHash, { confidence: 60 }), 'co_spent_with_listed')).toEqual(['MEDIUM']);
    // Without the transaction that proves it, nothing is said.
    expect(severities(clusterOf('0'.repeat(64)), 'co_spent_with_listed')).toEqual([]);
    expect(severities(judge([joint()]), 'co_spent_with_listed')).toEqual(['HIGH']);
  });

  it('is a report where no source is sure of the other, and nothing where the other is an honest party', () => {
    expect(found([joint()], 'scam', { confidence: 60 })).toEqual(['MEDIUM']);
    expect(found([joint()], 'exchange')).toEqual([]);
    expect(found([spend({ [SUBJECT]: 5_000 }, { [LISTED]: 4_000 })])).toEqual([]);
  });

  it('is MEDIUM once in the shape of a payjoin: two outputs, neither above the largest input', () => {
    expect(found([payjoin()])).toEqual(['MEDIUM']);
    expect(found([payjoin(), payjoin()])).toEqual(['HIGH']);
    // Both inputs were needed.
    expect(found([spend({ [SUBJECT]: 3_000, [LISTED]: 9_000 }, { bc1qa: 10_000, bc1qb: 1_900 })])).toEqual(['HIGH']);
    const three = { bc1qa: 5_000, bc1qb: 4_000, bc1qc: 2_900 };
    expect(found([spend({ [SUBJECT]: 3_000, [LISTED]: 9_000 }, three)])).toEqual(['HIGH']);
  });

  it.each<[string, Record<string, number>, string]>([
    ['more than it put in', { [LISTED]: 74_000_000, bc1qrest: 900_000 }, 'HIGH'],
    ['all of it', { [LISTED]: 74_900_000 }, 'HIGH'],
    ['more, beside two others', { [LISTED]: 71_000_000, bc1qshop: 3_000_000, bc1qrest: 900_000 }, 'HIGH'],
    ['just what it put in', { [LISTED]: 70_000_000, bc1qshop: 3_000_000, bc1qrest: 1_900_000 }, 'HIGH'],
    ['nothing, and the subject most', { [SUBJECT]: 60_000_000, bc1qshop: 5_000_000, bc1qrest: 9_000_000 }, 'HIGH'],
  ])('is seen where the listed address gets %s, and makes nobody a victim', (_, outputs, severity) => {
    const together = spend({ [SUBJECT]: 5_000_000, [LISTED]: 70_000_000 }, outputs);
    expect(found([together], 'scam')).toEqual([severity]);
    const assessment = judge([together], 'scam');
    expect(assessment.detections.filter(({ details }) => details.role === 'victim')).toEqual([]);
  });

  it('is MEDIUM where the payee of a payjoin is paid to the address that it spends from', () => {
    const outputs = { [LISTED]: 6_000_000, bc1qchange: 6_900_000 };
    expect(found([spend({ [SUBJECT]: 9_000_000, [LISTED]: 4_000_000 }, outputs)])).toEqual(['MEDIUM']);
    const paid = { [SUBJECT]: 6_000_000, bc1qchange: 6_900_000 };
    expect(found([spend({ [SUBJECT]: 4_000_000, [LISTED]: 9_000_000 }, paid)])).toEqual(['MEDIUM']);
  });

  it.each([
    [LISTED, SUBJECT],
    [SUBJECT, LISTED],
  ])('is MEDIUM, however often, where %s may have sold to %s', (seller, buyer) => {
    const sold = (value: number) =>
      spend({ [seller]: value, [buyer]: 9_000_000 }, { bc1qart: value, bc1qseller: 5_000_000, bc1qrest: 3_990_000 });
    const open = () => signedOpen(sold(60_000), seller);
    expect(found([sold(60_000)])).toEqual(['HIGH']);
    expect(found([open(), open()])).toEqual(['MEDIUM']);
    expect(found([sold(546), sold(546)])).toEqual(['MEDIUM']);
    expect(found([open(), joint()])).toEqual(['HIGH']);
    const back = { bc1qart: 546, [seller]: 5_000_000, bc1qrest: 3_990_000 };
    expect(found([spend({ [seller]: 546, [buyer]: 9_000_000 }, back)])).toEqual(['MEDIUM']);
  });

  it('is HIGH beside a small coin of a third address, which goes on whole or lets others join', () => {
    const beside = () => spend({ ...loot, bc1qdust: 546 }, { ...kept, bc1qdust2: 546 });
    expect(found([beside()])).toEqual(['HIGH']);
    expect(found([signedOpen(spend({ ...loot, bc1qdust: 546 }, kept), 'bc1qdust')])).toEqual(['HIGH']);
    const own = spend(loot, { ...kept, bc1qdust2: 546 });
    expect(found([{ ...own, inputs: [...own.inputs, { address: SUBJECT, value: 546n }] }])).toEqual(['HIGH']);
    const openDust = { address: SUBJECT, value: 546n, open: true };
    expect(found([{ ...own, inputs: [...own.inputs, openDust] }])).toEqual(['HIGH']);
  });

  it('is MEDIUM once in another shape of strangers, and HIGH where any such happened twice', () => {
    expect(found([funding()])).toEqual(['MEDIUM']);
    expect(found([funding(), funding()])).toEqual(['HIGH']);
    expect(found([funding(), payjoin()])).toEqual(['HIGH']);
  });

  it('is MEDIUM where one payjoin and one sale happened', () => {
    const sold = spend({ [LISTED]: 546, [SUBJECT]: 9_000 }, { bc1qart: 546, bc1qseller: 5_000, bc1qrest: 3_900 });
    expect(found([payjoin(), sold])).toEqual(['MEDIUM']);
  });

  it('is not paying a listed address, with change or without', () => {
    expect(found([spend({ [SUBJECT]: 5_000_000 }, { [LISTED]: 3_000_000, [SUBJECT]: 1_900_000 })])).toEqual([]);
    expect(found([spend({ [SUBJECT]: 5_000_000, bc1qown: 5_000_000 }, { [LISTED]: 9_900_000 })])).toEqual([]);
  });

  it('says nothing of those who meet in a CoinJoin', () => {
    const names = Array.from({ length: 6 }, (_, i) => `bc1qpayer${i}`);
    const inputs = Object.fromEntries([SUBJECT, LISTED, ...names].map((name) => [name, 1_010_000]));
    const outputs = Object.fromEntries(Object.keys(inputs).map((_, i) => [`bc1qequal${i}`, 1_000_000]));
    expect(found([spend(inputs, outputs)])).toEqual([]);
  });

  it.each([
    ['Wasabi 1', wasabiOne],
    ['Wasabi 2', wasabiTwo],
    ['JoinMarket', joinMarket],
  ])('says nothing of those who meet in a round of %s, whose outputs are MEDIUM at most', (_, roundOf) => {
    const { inputs, outputs } = roundOf(3);
    const renamed = (sides: UtxoParty[], names: string[]) =>
      sides.map((side, i) => ({ ...side, address: names[i] ?? side.address }));
    const met = { ...spend({}, {}), inputs: renamed(inputs, [SUBJECT, LISTED]), outputs };
    expect(found([met])).toEqual([]);
    expect(judge([met]).risk_level).not.toBe('HIGH');
    const received = { ...met, inputs: renamed(inputs, [LISTED]), outputs: renamed(outputs, [SUBJECT]) };
    expect(judge([received]).risk_level).toBe('MEDIUM');
  });

  it('is not preparing one: what its owner divides is one payment, however many outputs', () => {
    const divided = { ...spend({}, {}), ...preparation(1) };
    const own = divided.inputs.map((input) => ({ ...input, address: SUBJECT }));
    const assessment = judge([
      spend({ bc1qbuyer: 50_000_000 }, { [SUBJECT]: 49_000_000 }),
      { ...divided, inputs: own },
    ]);
    expect(assessment.risk_level).toBe('LOW');
    const many = { ...divided, inputs: own, outputs: divided.outputs.filter(({ value }) => value > 0n) };
    expect(severities(judge([many]), 'fan_out')).not.toEqual([]);
  });
});

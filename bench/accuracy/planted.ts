import { backgroundWallet } from '../../fixtures/anomaly/background.ts';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { PLANTS } from '../../fixtures/anomaly/plants.ts';
import {
  joinMarket,
  preparation,
  type Round,
  wasabiOne,
  wasabiTwo,
  whirlpool,
} from '../../fixtures/coinjoin-rounds.ts';
import { ARCHETYPES } from '../../fixtures/levels/archetypes.ts';
import { economy } from '../../fixtures/levels/economy.ts';
import { MORE_ARCHETYPES } from '../../fixtures/levels/more-archetypes.ts';
import { AS_OF, Planted, USDC } from '../../fixtures/levels/planted.ts';
import type { AccuracyRow } from '../../reports/sections/accuracy.ts';
import { likelyMatch, match } from '../../src/domain/bridges/match.ts';
import type { BridgeMessage } from '../../src/domain/bridges/message.ts';
import { equalValues } from '../../src/domain/coinjoin/shape.ts';
import { addToGroup } from '../../src/domain/group-by.ts';
import type { Label } from '../../src/domain/label.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import type { AssessInput, Assessment } from '../../src/risk/assessment.ts';
import { buildLedger } from '../../src/risk/ledger/ledger.ts';
import { isDepositAddress } from '../../src/risk/ledger/payments.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { judgeArchetypes, judgeFarWallets, judgeLawful } from '../levels/invented.ts';

const SEED = 20_260;
const PLANTED = 100;
const BACKGROUNDS = 1_000;
const OWNERS = 400;
/** Findings that are listed with the reason for which they do not count are found. */
const EXCUSES: readonly string[] = ['deposit_address', 'service_like'];
const isHigh = (level: string) => level === 'HIGH' || level === 'CRITICAL';

const countOf = <T>(cases: readonly T[], isCounted: (one: T) => boolean) => ({
  count: cases.filter(isCounted).length,
  of: cases.length,
});
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** Levels of lawful owners, of wallets behind invented thefts, and of kinds of addresses with a stated level. */
async function plantedLevels(): Promise<AccuracyRow[]> {
  const stated = new Map([...ARCHETYPES, ...MORE_ARCHETYPES].map(({ name, levels }) => [name, levels]));
  const judged = judgeArchetypes().map(({ kind, level }) => ({ right: stated.get(kind) ?? [], level }));
  const guilty = judged.filter(({ right }) => right.every(isHigh));
  const innocent = judged.filter(({ right }) => !right.some(isHigh));
  return [
    {
      ...{ id: 'levels_lawful', rule: 'levels', misses: null },
      falseAlarms: countOf(judgeLawful(), ({ level }) => isHigh(level)),
    },
    {
      ...{ id: 'levels_far', rule: 'levels', falseAlarms: null },
      misses: countOf(await judgeFarWallets(), ({ level }) => !isHigh(level)),
    },
    {
      ...{ id: 'levels_kinds', rule: 'levels' },
      misses: countOf(guilty, ({ level }) => !isHigh(level)),
      falseAlarms: countOf(innocent, ({ level }) => isHigh(level)),
    },
  ];
}

/** Each typology planted in ordinary wallets, and the same wallets without it. */
function plantedTypologies(): AccuracyRow[] {
  const ordinary = times(BACKGROUNDS, (i) => judge(backgroundWallet(SEED + i)));
  return Object.entries(PLANTS).map(([id, plant]) => {
    const planted = times(PLANTED, (i) => {
      const wallet = backgroundWallet(SEED + i);
      const start = wallet.transfers[Math.floor(wallet.transfers.length / 2)]?.at ?? AS_OF - 90 * 24 * HOUR_MS;
      return judge(wallet, plant(wallet.address, start, SEED + i));
    });
    const isFound = ({ detections, suppressed }: Assessment) =>
      [...detections, ...suppressed.filter(({ suppressed_by }) => EXCUSES.includes(suppressed_by))].some(
        ({ detector_id }) => detector_id === id,
      );
    return {
      ...{ id: `typology_${id}`, rule: `typology:${id}` },
      misses: countOf(planted, (one) => !isFound(one)),
      falseAlarms: countOf(ordinary, ({ detections }) => detections.some(({ detector_id }) => detector_id === id)),
    };
  });
}

function judge(wallet: ReturnType<typeof backgroundWallet>, more: Transfer[] = []): Assessment {
  return assess({
    subject: { chain: 'ethereum', address: wallet.address, labels: [], addressType: 'wallet' },
    transfers: [...wallet.transfers, ...more],
    labelsOf: (address) => (wallet.exchanges.includes(address) ? [exchangeLabel(address)] : []),
    coverage: { complete: true, sources: ['planted'], reasons: [], historyRead: true },
    asOf: AS_OF,
    lang: 'en',
  });
}

function exchangeLabel(address: string): Label {
  return {
    ...{ chain: 'ethereum', address, category: 'exchange', label: 'planted exchange', source: 'planted' },
    ...{ confidence: 90, entity: null, validFrom: null, validTo: null, maliciousContract: false },
  };
}

/** Wallets of a lawful economy: those that are baited by addresses made to look alike, and all as they are. */
function plantedBaits(): AccuracyRow[] {
  const { inputs } = lawful();
  const isBaited = ({ detections }: Assessment) =>
    detections.some(({ detector_id }) => detector_id === 'address_poisoning');
  const dice = new Dice(SEED);
  const baited = inputs.flatMap((input) => {
    const { address } = input.subject;
    const genuine = input.transfers.find(
      ({ from, to, usd }) => from === address && to !== address && (usd ?? 0) >= 100,
    );
    if (!genuine) return [];
    const alike = `${genuine.to.slice(0, 6)}${dice.hex(32)}${genuine.to.slice(-4)}`;
    const txHash = `0x${dice.hex(64)}`;
    const token = { kind: 'token', token: USDC, asset: 'USDC', amount: '0', index: 'log:9', seq: 9 } as const;
    const planted = new Planted(SEED);
    const bait = planted.move(address, alike, null, genuine.at + HOUR_MS, {
      ...token,
      txHash,
      txSender: dice.address(),
    });
    return [{ ...input, transfers: [...input.transfers, bait] }];
  });
  return [
    {
      ...{ id: 'poisoning', rule: 'poisoning' },
      misses: countOf(baited, (input) => !isBaited(assess(input))),
      falseAlarms: countOf(inputs, (input) => isBaited(assess(input))),
    },
  ];
}

/** Deposit addresses that an exchange gave to customers of a lawful economy, and everybody else there. */
function plantedDeposits(): AccuracyRow[] {
  const { inputs, kindOf } = lawful();
  const judged = inputs.map((input) => ({
    kind: kindOf(input.subject.address),
    is: isDepositAddress(buildLedger(input)),
  }));
  return [
    {
      ...{ id: 'deposits', rule: 'deposits' },
      misses: countOf(
        judged.filter(({ kind }) => kind === 'deposit'),
        ({ is }) => !is,
      ),
      falseAlarms: countOf(
        judged.filter(({ kind }) => kind !== 'deposit'),
        ({ is }) => is,
      ),
    },
  ];
}

/** Everybody who was active in half a year of lawful dealings. */
function lawful(): { inputs: AssessInput[]; kindOf: (address: string) => string } {
  const { actors, transfers, labels } = economy(SEED, OWNERS);
  const planted = new Planted(SEED);
  planted.labels.push(...labels);
  const input = planted.input();
  const own = new Map<string, Transfer[]>();
  for (const transfer of transfers)
    for (const party of new Set([transfer.from, transfer.to])) addToGroup(own, party, transfer);
  const kinds = new Map(actors.map(({ address, kind }) => [address, kind]));
  const inputs = actors.flatMap(({ address }): AssessInput[] => {
    const moved = own.get(address);
    return moved ? [{ ...input, transfers: moved, subject: { ...input.subject, address, labels: [] } }] : [];
  });
  return { inputs, kindOf: (address) => kinds.get(address) ?? '' };
}

/** Rounds of the known protocols, and what only looks like one: batches of payouts, and outputs prepared for a round. */
function plantedCoinJoins(): AccuracyRow[] {
  const isCoinJoin = (round: Round) => equalValues({ coinbase: false, ...round }) !== null;
  const rounds = times(PLANTED, (i) => [
    ...[wasabiOne(SEED + i), wasabiOne(SEED + i, 12), wasabiTwo(SEED + i), whirlpool(SEED + i)],
    ...[whirlpool(SEED + i, 9), joinMarket(SEED + i), joinMarket(SEED + i, 4)],
  ]).flat();
  const others = times(PLANTED, (i) => [preparation(SEED + i), ...payouts(SEED + i)]).flat();
  return [
    {
      ...{ id: 'coinjoin', rule: 'coinjoin' },
      misses: countOf(rounds, (round) => !isCoinJoin(round)),
      falseAlarms: countOf(others, isCoinJoin),
    },
  ];
}

/** Batches of a service from one or a few addresses, with many equal payouts, and an ordinary payment with change. */
function payouts(seed: number): Round[] {
  const dice = new Dice(seed);
  const party = (value: number) => ({ address: `bc1q${dice.hex(32)}`, value: BigInt(value) });
  const batch = (payers: number, customers: number, equal: number): Round => ({
    inputs: times(payers, () => party(dice.int(2_000_000_000, 9_000_000_000))),
    outputs: times(customers, (i) => party(i < equal ? 5_000_000 : dice.int(100_000, 90_000_000))),
  });
  return [batch(1, dice.int(10, 200), dice.int(5, 200)), batch(4, 40, 20), batch(2, 2, 0)];
}

/** Statements of two sides of one transfer over a bridge, and pairs that differ in one thing. */
function plantedBridges(): AccuracyRow[] {
  const dice = new Dice(SEED);
  const pairs = times(PLANTED * 5, (i) => statedPair(dice, i));
  const wrong = pairs.map(([source, destination], i): [BridgeMessage, BridgeMessage] => {
    const other: Partial<BridgeMessage>[] = [
      { recipient: dice.address() },
      { id: `other ${i}` },
      { amount: (Number(destination.amount) * 1.5).toFixed(6), agreed: {} },
      { at: source.at - HOUR_MS },
      { protocol: 'hop' },
    ];
    return [source, { ...destination, ...other[i % other.length] }];
  });
  const likely = pairs.map(([source, destination]) => {
    const receipts = receiptsOf(dice, destination);
    return { found: likelyMatch(source, receipts), receipts, stray: likelyMatch(source, receipts.slice(1)) };
  });
  return [
    {
      ...{ id: 'bridge_id', rule: 'bridge_id' },
      misses: countOf(pairs, ([source, destination]) => match(source, destination) === null),
      falseAlarms: countOf(wrong, ([source, destination]) => match(source, destination) !== null),
    },
    {
      ...{ id: 'bridge_likely', rule: 'bridge_likely' },
      misses: countOf(likely, ({ found, receipts }) => found !== receipts[0]),
      falseAlarms: countOf(likely, ({ stray }) => stray !== null && stray !== 'ambiguous'),
    },
  ];
}

const USDC_ARBITRUM = '0xaf88d065e77c8cc2239327c5edb3a432268e5831';

function statedPair(dice: Dice, i: number): [BridgeMessage, BridgeMessage] {
  const units = dice.int(1_000_000, 2_000_000_000_000);
  const source: BridgeMessage = {
    ...{ protocol: 'cctp_v1', side: 'source', chain: 'ethereum', tx: `0x${dice.hex(64)}`, position: 1 },
    ...{ at: AS_OF - dice.int(1, 5_000) * HOUR_MS, id: String(i), sender: dice.address(), recipient: dice.address() },
    route: { from: { chain: 'ethereum', raw: '0' }, to: { chain: 'arbitrum', raw: '3' } },
    ...{
      asset: 'USDC',
      token: USDC,
      assetId: USDC,
      amount: (units / 1e6).toFixed(6),
      agreed: { amount: String(units) },
    },
    ...{ expiresAt: null, explains: [] },
  };
  const destination: BridgeMessage = {
    ...source,
    ...{
      side: 'destination',
      chain: 'arbitrum',
      tx: `0x${dice.hex(64)}`,
      token: USDC_ARBITRUM,
      assetId: USDC_ARBITRUM,
    },
    at: source.at + dice.int(1, 50) * MINUTE_MS,
  };
  return [source, destination];
}

/** The receipt of the bridge first, then what else came to the recipient around that time, some of it of about the same amount. */
function receiptsOf(dice: Dice, { recipient, amount, at }: BridgeMessage): Transfer[] {
  const receipt = (value: number, when: number) =>
    createTransfer({
      ...{ chain: 'arbitrum', txHash: `0x${dice.hex(64)}`, index: 'log:1', at: when, from: dice.address() },
      ...{ to: recipient as string, asset: 'USDC', token: USDC_ARBITRUM, amount: value.toFixed(6), kind: 'token' },
    });
  const others = times(dice.int(0, 6), () => {
    const near = dice.chance(0.05) ? 0.99 + 0.011 * dice.share() : 2 * dice.share();
    return receipt(Number(amount) * near, at + dice.int(-90, 90) * MINUTE_MS);
  });
  return [receipt(Number(amount) * (1 - 0.002 * dice.share()), at), ...others];
}

/** Measures each rule on worlds made from seeds. */
export const PLANTED_PARTS = {
  levels: plantedLevels,
  typologies: plantedTypologies,
  baits: plantedBaits,
  deposits: plantedDeposits,
  coinJoins: plantedCoinJoins,
  bridges: plantedBridges,
};

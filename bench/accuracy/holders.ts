import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32, bech32m } from '@scure/base';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { joinMarket, type Round, wasabiOne, wasabiTwo, whirlpool } from '../../fixtures/coinjoin-rounds.ts';
import { AS_OF } from '../../fixtures/levels/planted.ts';
import type { AccuracyRow } from '../../reports/sections/accuracy.ts';
import { keyBesideSignature } from '../../src/chains/bitcoin/esplora.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { base58Check } from '../../src/domain/address/base58-check.ts';
import { addressesOfKey, ownKeys } from '../../src/domain/address/public-key.ts';
import type { ChainAddress } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { createTransfer } from '../../src/domain/transfers/transfer.ts';
import { type UtxoParty, type UtxoTransaction, utxoTransfers } from '../../src/domain/transfers/utxo.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import type { Graph } from '../../src/graph/port.ts';
import { entitiesOf } from '../../src/graph/queries/entities.ts';
import { withChange } from '../../src/questions/graph/entities.ts';

/** One spend of Bitcoin, as a source reports it. */
export interface Spend extends Round {
  txHash: string;
  at: number;
}

/** The holder to whom a graph of these spends joins each address; null without one. */
export async function holdersOf(spends: readonly Spend[]): Promise<(address: string) => string | null> {
  const { graph, parties } = await graphOf(spends);
  const holderOf = await holdersIn(graph, parties);
  await graph.close();
  return holderOf;
}

async function graphOf(spends: readonly Spend[]): Promise<{ graph: Graph; parties: string[] }> {
  const graph = await openGrafeo({ path: null });
  const transfers = spends.flatMap((spend, i) => {
    const place = { block: i + 1, blockHash: '', coinbase: false };
    return utxoTransfers({ ...spend, ...place } satisfies UtxoTransaction).transfers;
  });
  await ingestTransfers(graph, transfers, new Map());
  return { graph, parties: [...new Set(transfers.flatMap(({ from, to }) => [from, to]))] };
}

async function holdersIn(graph: Graph, parties: readonly string[]): Promise<(address: string) => string | null> {
  const keys = parties.map((one) => addressKey('bitcoin', one));
  const found = await entitiesOf(graph, keys, 60_000);
  return (address) => found.get(addressKey('bitcoin', address))?.id ?? null;
}

const SEED = 49;
const WORLDS = 20;
const SCRIPTS = ['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr'] as const;
type Script = (typeof SCRIPTS)[number];

/** Who holds coins: a person's wallet, an exchange, or a shop. */
interface Owner {
  script: Script;
  coins: { address: string; value: number }[];
  addresses: string[];
  /** Addresses from which its own payments came. */
  paid: Set<string>;
}

type Meeting = 'payjoins' | 'fundings' | 'others';

/** Satoshi of a coin that holds a collectible. */
const POSTAGE = 546;

/** Wallets, exchanges and strangers who sign together, on one invented chain whose owners are known. */
class Wallets {
  readonly spends: Spend[] = [];
  readonly owners: Owner[] = [];
  /** Payers of different owners in one transaction: in payjoins, in what two fund, and in CoinJoins and sales on marketplaces. */
  readonly strangers: Record<Meeting, [string, string][]> = { payjoins: [], fundings: [], others: [] };
  readonly ownerOf = new Map<string, Owner>();
  readonly #dice: Dice;
  #at = AS_OF - 20_000 * HOUR_MS;

  constructor(seed: number) {
    this.#dice = new Dice(seed);
    const [people, exchanges] = [30, 2];
    for (let i = 0; i < people + exchanges; i++) {
      this.owners.push({ script: this.#dice.pick(SCRIPTS), coins: [], addresses: [], paid: new Set() });
    }
    for (const owner of this.owners) {
      for (let i = this.#dice.int(1, 4); i > 0; i--) this.#earn(owner);
    }
    for (const exchange of this.owners.slice(people)) {
      for (let i = this.#dice.int(10, 60); i > 0; i--) this.#earn(exchange);
    }
    const persons = this.owners.slice(0, people);
    for (const owner of persons) {
      const payments = Math.min(80, Math.ceil(this.#dice.logNormal(2, 1)));
      for (let i = 0; i < payments; i++) {
        if (this.#dice.chance(0.6)) this.#earn(owner);
        this.#pay(owner, this.#dice.pick(this.owners));
      }
    }
    for (const exchange of this.owners.slice(people)) {
      for (let i = 0; i < 12; i++) this.#payOut(exchange, persons);
      this.#sweep(exchange);
    }
    for (let i = 0; i < 4; i++) this.#payjoin(...this.#two(persons));
    const nodes = persons.filter(({ script }) => script === 'p2wpkh' || script === 'p2tr');
    for (let i = 0; i < 4; i++) this.#fund(...this.#two(nodes));
    for (let i = 0; i < 2; i++) this.#sale(...this.#two(persons));
    for (let i = 0; i < 2; i++) this.#sale(...this.#two(persons), false);
    const rounds = [wasabiOne(seed, 12), wasabiTwo(seed, 25), whirlpool(seed), joinMarket(seed)];
    for (const round of rounds) this.#round(round, persons);
  }

  #two(some: readonly Owner[]): [Owner, Owner] {
    const first = this.#dice.int(0, some.length - 1);
    return [some[first]!, some[(first + this.#dice.int(1, some.length - 1)) % some.length]!];
  }

  /** A fresh address, as wallets with a gap limit give them; some owners give one out twice. */
  #address(owner: Owner, script = owner.script): string {
    if (owner.addresses.length > 0 && this.#dice.chance(0.05)) return this.#dice.pick(owner.addresses);
    const address = addressOf(script, Buffer.from(this.#dice.hex(64), 'hex'));
    owner.addresses.push(address);
    this.ownerOf.set(address, owner);
    return address;
  }

  #give(owner: Owner, value: number, script?: Script): UtxoParty {
    const coin = { address: this.#address(owner, script), value };
    owner.coins.push(coin);
    return { ...coin, value: BigInt(value) };
  }

  #earn(owner: Owner): void {
    const value = this.#dice.int(200_000, 40_000_000);
    const buyer = { address: addressOf('p2wpkh', Buffer.from(this.#dice.hex(64), 'hex')), value: BigInt(value + 900) };
    this.#record([buyer], [this.#give(owner, value)]);
  }

  /** Takes coins that are worth the amount: the largest first, or as they come. */
  #take(owner: Owner, amount: number): UtxoParty[] | null {
    const coins = this.#dice.chance(0.5) ? owner.coins.toSorted((a, b) => b.value - a.value) : [...owner.coins];
    const taken = [];
    for (let sum = 0; sum < amount; ) {
      const coin = coins.shift();
      if (!coin) return null;
      taken.push(coin);
      sum += coin.value;
    }
    owner.coins = coins;
    for (const { address } of taken) owner.paid.add(address);
    return taken.map(({ address, value }) => ({ address, value: BigInt(value) }));
  }

  #amount(owner: Owner): number {
    const held = owner.coins.reduce((sum, { value }) => sum + value, 0);
    const amount = Math.floor(held * (0.05 + 0.6 * this.#dice.share()));
    return this.#dice.chance(0.4) ? Math.max(100_000, Math.floor(amount / 100_000) * 100_000) : amount;
  }

  /** One payment with change, to an address of the wallet's own kind or of any. */
  #pay(owner: Owner, payee: Owner): void {
    const amount = this.#amount(owner);
    const inputs = this.#take(owner, amount + 3_000);
    if (inputs === null || payee === owner) return;
    this.#record(inputs, this.#withChange(owner, inputs, [this.#give(payee, amount)]));
  }

  #withChange(owner: Owner, inputs: readonly UtxoParty[], outputs: UtxoParty[]): UtxoParty[] {
    const left = Number(totalOf(inputs) - totalOf(outputs)) - 1_000;
    if (left < 600) return outputs;
    const script = this.#dice.chance(0.85) ? owner.script : this.#dice.pick(SCRIPTS);
    const change = this.#give(owner, left, script);
    return this.#dice.chance(0.5) ? [change, ...outputs] : [...outputs, change];
  }

  /** A batch of withdrawals. */
  #payOut(exchange: Owner, customers: readonly Owner[]): void {
    const count = this.#dice.int(3, 40);
    const held = exchange.coins.reduce((sum, { value }) => sum + value, 0);
    const each = Math.floor(held / (count * 4));
    const inputs = each > 10_000 ? this.#take(exchange, each * count + 5_000) : null;
    if (inputs === null) return;
    const outputs = Array.from({ length: count }, () => {
      return this.#give(this.#dice.pick(customers), Math.ceil(each * (0.2 + 0.8 * this.#dice.share())));
    });
    this.#record(inputs, this.#withChange(exchange, inputs, outputs));
  }

  /** Gathers what customers deposited. */
  #sweep(exchange: Owner): void {
    const held = exchange.coins.reduce((sum, { value }) => sum + value, 0);
    const inputs = this.#take(exchange, held);
    if (inputs && held > 10_000) this.#record(inputs, [this.#give(exchange, held - 5_000)]);
  }

  /** Payer and payee spend together. */
  #payjoin(payer: Owner, payee: Owner): void {
    const amount = this.#amount(payer);
    const own = payee.coins.shift();
    const inputs = own && this.#take(payer, amount + 3_000);
    if (!own || !inputs) return;
    const received = this.#give(payee, own.value + amount);
    const all = [...inputs, { address: own.address, value: BigInt(own.value) }];
    this.#record(all, this.#withChange(payer, all, [received]));
    this.#meet(all, 'payjoins');
  }

  /** Two put coins into a channel between them, each with change, but one of four who puts in all of its coins. */
  #fund(one: Owner, other: Owner): void {
    const sides = [one, other].map((owner) => {
      const amount = this.#amount(owner);
      return { owner, inputs: this.#take(owner, amount + 3_000), amount };
    });
    if (sides.some(({ inputs }) => inputs === null)) return;
    const puts = sides.map(({ owner, inputs, amount }) => {
      const held = Number(totalOf(inputs!)) - 1_000;
      return { owner, put: this.#dice.chance(0.25) ? held : amount, held };
    });
    const change = puts.flatMap(({ owner, put, held }) => (held - put < 600 ? [] : [this.#give(owner, held - put)]));
    const address = addressOf('p2wsh', Buffer.from(this.#dice.hex(64), 'hex'));
    const channel = { address, value: BigInt(puts.reduce((sum, { put }) => sum + put, 0)) };
    const inputs = sides.flatMap((side) => side.inputs!);
    this.#record(inputs, [channel, ...change]);
    this.#meet(inputs, 'fundings');
  }

  /** A buyer completes what a seller signed on a marketplace, or both sign all of it. */
  #sale(seller: Owner, buyer: Owner, open = true): void {
    const [sold, paid] = [seller.coins.shift(), buyer.coins.shift()];
    if (!sold || !paid) return;
    const { address } = sold;
    const inputs = [open ? sold : { address, value: POSTAGE }, paid];
    const [goods, price] = [inputs[0]!.value, Math.floor(paid.value / 2)];
    const put = inputs.map((coin, i) => ({ address: coin.address, value: BigInt(coin.value), open: open && i === 0 }));
    const outputs = [this.#give(buyer, goods), this.#give(seller, price)];
    this.#record(put, open ? outputs : this.#withChange(buyer, put, outputs));
    this.#meet(put, 'others');
  }

  /** A CoinJoin in which each input is another person's. */
  #round({ inputs, outputs }: Round, persons: readonly Owner[]): void {
    const first = this.#dice.int(0, persons.length - 1);
    const place = (i: number) => persons[(first + i) % persons.length]!;
    const put = inputs.map(({ value }, i) => ({ address: this.#address(place(i)), value }));
    this.#record(
      put,
      outputs.map(({ value }, i) => this.#give(place(i), Number(value))),
    );
    this.#meet(put, 'others');
  }

  #meet(payers: readonly UtxoParty[], kind: Meeting): void {
    const addresses = payers.flatMap(({ address }) => address ?? []);
    const pair = pairsOf(addresses).filter(([a, b]) => this.ownerOf.get(a) !== this.ownerOf.get(b));
    if (pair.length > 0) this.strangers[kind].push(this.#dice.pick(pair));
  }

  #record(inputs: UtxoParty[], outputs: UtxoParty[]): void {
    this.#at += this.#dice.int(1, 12) * HOUR_MS;
    this.spends.push({ txHash: this.#dice.hex(64), at: this.#at, inputs, outputs });
  }
}

function addressOf(script: Script, bytes: Buffer): string {
  const hash = bytes.subarray(0, 20);
  if (script === 'p2pkh') return base58Check.encode(Uint8Array.of(0, ...hash));
  if (script === 'p2sh') return base58Check.encode(Uint8Array.of(5, ...hash));
  if (script === 'p2wpkh') return bech32.encode('bc', [0, ...bech32.toWords(hash)]);
  if (script === 'p2wsh') return bech32.encode('bc', [0, ...bech32.toWords(bytes)]);
  return bech32m.encode('bc', [1, ...bech32m.toWords(bytes)]);
}

function totalOf(parties: readonly UtxoParty[]): bigint {
  return parties.reduce((sum, { value }) => sum + value, 0n);
}

export function pairsOf(addresses: readonly string[]): [string, string][] {
  return addresses.flatMap((a, i) => addresses.slice(i + 1).map((b): [string, string] => [a, b]));
}

/**
 * Joint spending, and change beside it, in planted wallets. One pair is drawn of each owner and of each holder that the graph makes, because the pairs of
 * one wallet are not independent cases.
 */
async function plantedHolders(): Promise<AccuracyRow[]> {
  const dice = new Dice(SEED);
  const [missed, wrong, missedStill, wrongThen]: boolean[][] = [[], [], [], []];
  const met: Record<Meeting, boolean[]> = { payjoins: [], fundings: [], others: [] };
  for (let i = 0; i < WORLDS; i++) {
    const world = new Wallets(SEED + i);
    const { graph, parties } = await graphOf(world.spends);
    const holderOf = await holdersIn(graph, parties);
    const areOne = ([a, b]: readonly [string, string]) => holderOf(a) !== null && holderOf(a) === holderOf(b);
    const drawn = (addresses: readonly string[]): [string, string] => {
      const first = dice.int(0, addresses.length - 1);
      return [addresses[first]!, addresses[(first + dice.int(1, addresses.length - 1)) % addresses.length]!];
    };
    const withChangeOf = async (address: string) => {
      const { addresses } = await withChange(graph, [addressKey('bitcoin', address)], 60_000);
      return addresses.map(({ row }) => row.key.slice('bitcoin:'.length));
    };
    for (const { paid } of world.owners) {
      if (paid.size < 2) continue;
      const pair = drawn([...paid]);
      missed!.push(!areOne(pair));
      const held = await withChangeOf(pair[0]);
      missedStill!.push(!held.includes(pair[1]));
      const own = held.filter((one) => world.ownerOf.has(one));
      if (own.length < 2) continue;
      const [a, b] = drawn(own);
      wrongThen!.push(world.ownerOf.get(a) !== world.ownerOf.get(b));
    }
    const holders = groupBy([...world.ownerOf.keys()], holderOf);
    holders.delete(null);
    for (const members of holders.values()) {
      const [a, b] = drawn(members);
      wrong!.push(world.ownerOf.get(a) !== world.ownerOf.get(b));
    }
    await graph.close();
    for (const kind of ['payjoins', 'fundings', 'others'] as const)
      met[kind].push(...world.strangers[kind].map(areOne));
  }
  return [
    { id: 'co_spending_wallets', rule: 'co_spending', misses: counted(missed!), falseAlarms: counted(wrong!) },
    { id: 'co_spending_payjoins', rule: 'co_spending', misses: null, falseAlarms: counted(met.payjoins) },
    { id: 'co_spending_fundings', rule: 'co_spending', misses: null, falseAlarms: counted(met.fundings) },
    { id: 'co_spending_strangers', rule: 'co_spending', misses: null, falseAlarms: counted(met.others) },
    { id: 'change_wallets', rule: 'change', misses: counted(missedStill!), falseAlarms: counted(wrongThen!) },
  ];
}

function counted(wrong: readonly boolean[]) {
  return { count: wrong.filter(Boolean).length, of: wrong.length };
}

const KEYS = 400;

/** The scripts of an input that pays from one of a key's four Bitcoin addresses with a hash of one key. */
function unlocking(dice: Dice, key: Uint8Array, form: number) {
  const signature = `3044${dice.hex(136)}01`;
  const shown = Buffer.from(form === 1 ? secp256k1.Point.fromBytes(key).toBytes(false) : key).toString('hex');
  const push = (hex: string) => (hex.length / 2).toString(16).padStart(2, '0') + hex;
  if (form < 2) return { scriptsig: push(signature) + push(shown), witness: [] };
  return { scriptsig: form === 2 ? push(`0014${dice.hex(40)}`) : '', witness: [signature, shown] };
}

/** Keys that an input shows and their addresses on other chains; scripts of two signers, and addresses of other keys. */
async function plantedKeys(): Promise<AccuracyRow[]> {
  const dice = new Dice(SEED);
  const keys = Array.from({ length: KEYS }, () => secp256k1.getPublicKey(Buffer.from(dice.hex(64), 'hex')));
  const held = keys.map((key) => addressesOfKey(key));
  const shared = keys.map((): ChainAddress => {
    return { chain: 'bitcoin', address: addressOf('p2sh', Buffer.from(dice.hex(64), 'hex')) };
  });
  const graph = await openGrafeo({ path: null });
  const met = [...held.flat(), ...shared].map(({ chain, address }, i) =>
    createTransfer({
      ...{ chain, txHash: dice.hex(64), index: 'native', at: AS_OF + i, from: `payer${i}`, to: address },
      ...{ asset: 'COIN', amount: '1', kind: 'native' },
    }),
  );
  await ingestTransfers(graph, met);
  for (const [i, key] of keys.entries()) {
    const form = i % 4;
    const own = held[i]![form]!;
    const other = Buffer.from(keys[(i + 1) % KEYS]!).toString('hex');
    const script = `5221${Buffer.from(key).toString('hex')}21${other}52ae`;
    const spends = [
      { by: own, input: unlocking(dice, key, form) },
      { by: shared[i]!, input: { scriptsig: '', witness: ['', dice.hex(144), dice.hex(144), script] } },
      // The key stands beside the signature, but the address is not its own.
      { by: shared[i]!, input: unlocking(dice, key, 3) },
    ];
    for (const { by, input } of spends) {
      const publicKey = keyBesideSignature(input);
      const proven =
        publicKey !== null && ownKeys(by)(publicKey) ? { publicKey, txHash: dice.hex(64), at: AS_OF } : null;
      const reading = { at: AS_OF, intervals: [], isContract: false, isHub: false, complete: null };
      await markRead(graph, { ...by, ...reading, ...(proven ? { proven } : {}) });
    }
  }
  const keyOf = ({ chain, address }: ChainAddress) => addressKey(chain, address);
  const holders = await entitiesOf(graph, [...held.flat(), ...shared].map(keyOf), 60_000);
  await graph.close();
  const areOne = (a: ChainAddress, b: ChainAddress) => {
    const [one, other] = [a, b].map((each) => holders.get(keyOf(each))?.id);
    return one !== undefined && one === other;
  };
  const missed = held.map((own, i) => !areOne(own[i % 4]!, dice.pick(own.filter((one) => one !== own[i % 4]))));
  const wrong = held.flatMap((own, i) => [
    areOne(own[i % 4]!, dice.pick(held[(i + 1) % KEYS]!)),
    areOne(own[i % 4]!, shared[i]!),
  ]);
  return [{ id: 'same_key', rule: 'same_key', misses: counted(missed), falseAlarms: counted(wrong) }];
}

/** Measures what joins addresses on worlds whose owners are known. */
export const HOLDER_PARTS = { keys: plantedKeys, holders: plantedHolders };

import { formatUnits } from '../amount.ts';
import { NATIVE_COIN } from '../chain.ts';
import {
  equalValues,
  hasShapeOfStrangers,
  PREPARATION,
  payersOfChange,
  preparedValue,
  SALE,
  sellersIn,
} from '../coinjoin/shape.ts';
import { coinJoinAddress } from '../coinjoin/transaction.ts';
import { compare } from '../compare.ts';
import { COINBASE } from '../null-addresses.ts';
import { createTransfer, type Transfer } from './transfer.ts';

/**
 * An input (what it spends) or an output. A script without an address has its pseudo address; null where the source does not
 * give it.
 */
export interface UtxoParty {
  address: string | null;
  /** Satoshi. */
  value: bigint;
  /** True for an output behind OP_RETURN: it carries data and cannot be spent. */
  data?: true;
  /** True for an input whose signature lets others add theirs. */
  open?: boolean;
}

export interface UtxoTransaction {
  txHash: string;
  block: number;
  blockHash: string;
  /** Position in the block, where the source gives it. */
  position?: number | null;
  /** Epoch milliseconds of the block. */
  at: number;
  coinbase: boolean;
  /** Empty for a coinbase. */
  inputs: UtxoParty[];
  outputs: UtxoParty[];
}

export interface UtxoTransfers {
  transfers: Transfer[];
  /** Reasons why the transfers hold less than the transaction, as in a source's coverage. */
  reasons: string[];
}

/** Above this many pairs of sender and receiver, shares say no more than that all of them met in one transaction. */
const PAIRS_MAX = 20_000;

/** Most outputs of which all are shown to a payer who is also paid: payer and payee may have spent together. */
const FEW_OUTPUTS = 3;

/** A sender or receiver after netting: each address is on one side at most. */
interface NetParty {
  address: string;
  value: bigint;
  /** Place of the address's first output; 0 for senders. */
  output: number;
}

/**
 * Turns inputs and outputs into transfers of netted addresses; several senders share each amount by their inputs, exactly
 * to the satoshi. Beyond PAIRS_MAX transfers go through the pseudo address `tx:<hash>`. Of several payers, one who got no less
 * than he paid keeps his inputs as a loop: netting does not hide who spent together. `touching` leaves out transfers of
 * others and changes no id; a CoinJoin is always whole, for what it hides depends on all who paid in.
 */
export function utxoTransfers(tx: UtxoTransaction, touching?: string): UtxoTransfers {
  const { senders, receivers, unaddressed, returned } = net(tx);
  const reasons = unaddressed > 0n ? ['input_without_address'] : [];
  const equal = equalValues(tx);
  if (equal !== null) return { transfers: throughCoinJoin(tx, { senders, receivers, unaddressed, equal }), reasons };
  if (senders.length * receivers.length > PAIRS_MAX) {
    const transfers = [...throughHub(tx, senders, receivers, touching), ...loops(tx, returned, touching)];
    return { transfers, reasons: [...reasons, 'many_party_transaction'] };
  }
  const weights = senders.map((sender) => sender.value);
  if (unaddressed > 0n) weights.push(unaddressed);
  const isJoint = returned.length > 0 || weights.length > 1;
  const joint = isJoint ? !hasShapeOfStrangers(tx) : null;
  const sellers = isJoint ? sellersIn(tx) : new Set();
  const build = builder(tx, weights, isJoint ? null : (senders[0]?.address ?? null));
  const prepared = preparedValue(tx);
  const change = joint === false || tx.inputs.some(({ open }) => open) || prepared !== null ? null : changeOutput(tx);
  const largest = receivers.reduce((most, one) => (one.value > most.value ? one : most), receivers[0]!);
  const subjectReceives = receivers.some((receiver) => receiver.address === touching);
  // Where it spends, what the others gave to the largest output shows beside whose money that was.
  const spends = tx.inputs.some(({ address }) => address === touching);
  const isLeftOut = (sender: NetParty, receiver: NetParty) =>
    touching !== undefined &&
    sender.address !== touching &&
    receiver.address !== touching &&
    !(spends && (receiver === largest || (subjectReceives && receivers.length <= FEW_OUTPUTS)));
  const transfers: Transfer[] = [];
  for (const receiver of receivers) {
    const shares = apportion(receiver.value, weights);
    for (const [i, sender] of senders.entries()) {
      if (shares[i] === 0n || isLeftOut(sender, receiver)) continue;
      const method = sellers.has(sender.address) ? SALE : receiver.value === prepared ? PREPARATION : null;
      const place = { index: `out:${receiver.output}`, seq: receiver.output, method };
      const reading = { apportioned: isJoint, joint, change: receiver.address === change || null };
      transfers.push(build(sender, receiver, shares[i]!, { ...place, ...reading }, i));
    }
  }
  return { transfers: [...transfers, ...loops(tx, returned, touching)], reasons };
}

/** The inputs of payers who got them back. They show to those who paid too. */
function loops(tx: UtxoTransaction, returned: readonly NetParty[], touching?: string): Transfer[] {
  const isSeen = touching === undefined || tx.inputs.some(({ address }) => address === touching);
  if (returned.length === 0 || !isSeen) return [];
  const build = builder(tx, [], null);
  const joint = !hasShapeOfStrangers(tx);
  const sellers = sellersIn(tx);
  return returned.map((party) => {
    const method = sellers.has(party.address) ? SALE : null;
    const place = { index: `in:${party.address}`, seq: 0, apportioned: true, joint, method };
    return build(party, party, party.value, place, null);
  });
}

/** Splits a whole amount by weights so that the parts add up to it; left-over units go to the largest remainders. */
export function apportion(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map(() => 0n);
  const shares = weights.map((weight) => (amount * weight) / total);
  const left = Number(amount - shares.reduce((sum, share) => sum + share, 0n));
  if (left === 0) return shares;
  const remainders = weights.map((weight) => (amount * weight) % total);
  const order = remainders.map((_, i) => i).sort((a, b) => compare(remainders[b]!, remainders[a]!) || a - b);
  for (const i of order.slice(0, left)) shares[i]! += 1n;
  return shares;
}

/** Every address of the transaction, inputs first, each once. */
export function utxoAddresses(tx: Pick<UtxoTransaction, 'inputs' | 'outputs'>): string[] {
  const all = [...tx.inputs, ...tx.outputs].flatMap(({ address }) => (address === null ? [] : [address]));
  return [...new Set(all)];
}

/** Inputs minus outputs, satoshi; 0 for a coinbase. */
function utxoFee(tx: UtxoTransaction): bigint {
  return tx.coinbase ? 0n : sumOf(tx.inputs) - sumOf(tx.outputs);
}

interface Net {
  senders: NetParty[];
  receivers: NetParty[];
  unaddressed: bigint;
  /** The inputs of those who paid together with others and got no less. */
  returned: NetParty[];
}

function net(tx: UtxoTransaction): Net {
  const balance = new Map<string, bigint>();
  const put = new Map<string, bigint>();
  const firstOutput = new Map<string, number>();
  let unaddressed = 0n;
  for (const { address, value } of tx.inputs) {
    if (address === null) unaddressed += value;
    else {
      balance.set(address, (balance.get(address) ?? 0n) - value);
      put.set(address, (put.get(address) ?? 0n) + value);
    }
  }
  for (const [index, { address, value }] of tx.outputs.entries()) {
    if (address === null) continue;
    balance.set(address, (balance.get(address) ?? 0n) + value);
    if (!firstOutput.has(address)) firstOutput.set(address, index);
  }
  const sides = [...balance].sort(([a], [b]) => compare(a, b));
  const senders = tx.coinbase
    ? [{ address: COINBASE, value: sumOf(tx.outputs), output: 0 }]
    : sides.flatMap(([address, value]) => (value < 0n ? [{ address, value: -value, output: 0 }] : []));
  const receivers = sides.flatMap(([address, value]) =>
    value > 0n ? [{ address, value, output: firstOutput.get(address)! }] : [],
  );
  const returned = sides.flatMap(([address, value]) => {
    const own = put.get(address) ?? 0n;
    return put.size > 1 && own > 0n && value >= 0n ? [{ address, value: own, output: 0 }] : [];
  });
  return { senders, receivers: receivers.sort((a, b) => a.output - b.output), unaddressed, returned };
}

/** Payers pay the CoinJoin all but their own change and share the fee by what they put in; the CoinJoin pays the other outputs. */
function throughCoinJoin(
  tx: UtxoTransaction,
  { senders, receivers, unaddressed, equal }: Omit<Net, 'returned'> & { equal: readonly bigint[] },
): Transfer[] {
  const coinJoin: NetParty = { address: coinJoinAddress(tx.txHash), value: 0n, output: 0 };
  // With outputs of several values, nothing says which of them a payer got beside his change.
  const payersOf = payersOfChange(tx, equal.length === 1 ? equal[0]! : null);
  const netOf = new Map(senders.map(({ address, value }) => [address, value]));
  const changes = receivers.flatMap((receiver) => {
    const owner = payersOf.get(receiver.address) ?? [];
    const values = owner.map((payer) => netOf.get(payer) ?? 0n);
    // Of what an address put in, a part may have come back to it.
    const isPaid = values.reduce((sum, value) => sum + value, 0n) >= receiver.value;
    return isPaid ? [{ receiver, owner, parts: apportion(receiver.value, values) }] : [];
  });
  const payers = senders.map((sender) => {
    const own = changes.flatMap(({ receiver, owner, parts }) => {
      const part = parts[owner.indexOf(sender.address)] ?? 0n;
      return part > 0n ? [{ receiver, part, apportioned: owner.length > 1 }] : [];
    });
    return { ...sender, own, rest: own.reduce((rest, { part }) => rest - part, sender.value) };
  });
  const isChange = new Set(changes.map(({ receiver }) => receiver));
  const mixed = receivers.filter((receiver) => !isChange.has(receiver));
  const rests = [...payers.map(({ rest }) => rest), unaddressed];
  const puts = apportion(sumOf(mixed), rests);
  const fees = rests.map((rest, i) => rest - puts[i]!);
  const build = builder(tx, fees, null);
  const placeOf = ({ output }: NetParty): TransferPlace => ({ index: `out:${output}`, seq: output });
  return [
    ...payers.flatMap((payer, i) => [
      build(payer, coinJoin, puts[i]!, { index: `in:${payer.address}`, seq: 0 }, i),
      ...payer.own.map(({ receiver, part, apportioned }) =>
        build(payer, receiver, part, { ...placeOf(receiver), apportioned }, i),
      ),
    ]),
    ...mixed.map((receiver) => build(coinJoin, receiver, receiver.value, placeOf(receiver), null)),
  ];
}

function throughHub(tx: UtxoTransaction, senders: NetParty[], receivers: NetParty[], touching?: string): Transfer[] {
  const hub: NetParty = { address: `tx:${tx.txHash}`, value: 0n, output: 0 };
  const build = builder(tx, [], null);
  const wanted = (side: NetParty) => touching === undefined || side.address === touching;
  // What a sender puts in pays the fee too.
  const incoming = senders.flatMap((sender) =>
    wanted(sender) ? [build(sender, hub, sender.value, { index: `in:${sender.address}`, seq: 0 }, null)] : [],
  );
  const outgoing = receivers
    .filter(wanted)
    .map((receiver) =>
      build(hub, receiver, receiver.value, { index: `out:${receiver.output}`, seq: receiver.output + 1 }, null),
    );
  return [...incoming, ...outgoing];
}

interface TransferPlace {
  index: string;
  seq: number;
  apportioned?: boolean;
  joint?: boolean | null;
  change?: true | null;
  method?: string | null;
}

/** Builds the transfers of a transaction; the fee is shared by `weights`, of which `payer` is the place of the sender. */
function builder(tx: UtxoTransaction, weights: readonly bigint[], txSender: string | null) {
  const { symbol, decimals } = NATIVE_COIN.bitcoin;
  const fee = utxoFee(tx);
  const feeShares = txSender === null ? apportion(fee, weights) : [];
  return (from: NetParty, to: NetParty, value: bigint, place: TransferPlace, payer: number | null): Transfer => {
    const { index, seq, apportioned = false, joint = null, change = null, method = null } = place;
    const share = payer === null ? undefined : feeShares[payer];
    return createTransfer({
      chain: 'bitcoin',
      txHash: tx.txHash,
      index,
      seq,
      block: tx.block,
      blockHash: tx.blockHash,
      position: tx.position ?? null,
      at: tx.at,
      from: from.address,
      to: to.address,
      asset: symbol,
      amount: formatUnits(value, decimals),
      amountRaw: String(value),
      decimals,
      kind: 'native',
      apportioned,
      joint,
      change,
      txSender: txSender === COINBASE ? null : txSender,
      method,
      fee: formatUnits(fee, decimals),
      feeShare: share === undefined ? null : formatUnits(share, decimals),
    });
  };
}

function sumOf(parties: readonly UtxoParty[]): bigint {
  return parties.reduce((sum, party) => sum + party.value, 0n);
}

/** An input or an output; null where its script has no address. */
interface SpentOrPaid {
  address: string | null;
  /** Satoshi. */
  value: bigint;
}

/** People type amounts to a thousandth of a coin; what is left over is seldom so even, satoshi. */
const ROUND = 100_000n;

/**
 * Returns the address of the output that at least two of three signs call change, and none speaks against; null without one. The
 * signs: its script is of the kind that all inputs have and no other output has; its amount alone is not round; it alone is smaller
 * than every input, so that all of them were needed. An output to a payer is change that everybody sees: then no other is.
 *
 * @internal
 */
export function changeOutput({
  inputs,
  outputs,
}: {
  inputs: readonly SpentOrPaid[];
  outputs: readonly SpentOrPaid[];
}): string | null {
  const paid = outputs.filter(({ value }) => value > 0n);
  const payers = new Set(inputs.map(({ address }) => address));
  const addresses = paid.map(({ address }) => address);
  if (paid.length < 2 || payers.has(null) || addresses.some((address) => payers.has(address))) return null;
  if (new Set(addresses).size < paid.length) return null;
  const kinds = new Set(inputs.map(({ address }) => scriptOf(address)));
  const [kind] = kinds;
  const isOfKind = ({ address }: SpentOrPaid) => kinds.size === 1 && kind !== null && scriptOf(address) === kind;
  const signs = [
    onlyOne(paid, isOfKind),
    onlyOne(paid, ({ value }) => value % ROUND !== 0n),
    inputs.length > 1 ? onlyOne(paid, ({ value }) => inputs.every((input) => value < input.value)) : null,
  ].filter((one) => one !== null);
  const [first] = signs;
  const speaksAgainst = first !== undefined && !isOfKind(first) && paid.some(isOfKind);
  return signs.length >= 2 && signs.every((one) => one === first) && !speaksAgainst ? first!.address : null;
}

function onlyOne(outputs: readonly SpentOrPaid[], isSo: (output: SpentOrPaid) => boolean): SpentOrPaid | null {
  const found = outputs.filter(isSo);
  return found.length === 1 ? found[0]! : null;
}

/** The kind of script that an address names; null for what has none. */
function scriptOf(address: string | null): string | null {
  if (address === null) return null;
  const kind = /^(?:1|3|bc1q|bc1p)/.exec(address)?.[0] ?? null;
  return kind === 'bc1q' ? `${kind}${address.length}` : kind;
}

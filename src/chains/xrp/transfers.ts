import { addAmounts, formatUnits, fractionDigits, parseUnits } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import { assetName } from '../../domain/tokens/token.ts';
import { createTransfer, type Transfer } from '../../domain/transfers/transfer.ts';
import { numberEquals } from '../../domain/transfers/transfer-id.ts';
import { matchBalances } from '../balance-matching.ts';
import { amountShape, dropsToXrp, isMpt, readAmount, type XrpAmount } from './asset.ts';
import { type AssetChanges, balanceChanges, changeOf } from './balances.ts';
import { feePayerOf, paidOutBy, succeeded, type TaggedEnds, type XrpTransaction } from './transaction.ts';

const PARTIAL_PAYMENT = 0x0002_0000;

interface XrpMovement {
  index: string;
  from: string;
  to: string;
  asset: XrpAmount;
  kind?: 'dex';
  failed?: boolean;
  apportioned?: boolean;
}

/**
 * Every movement of value in a validated transaction, the same from any side. A Payment is one transfer of the
 * delivered amount (never of `Amount`), then what it exchanged with others. Other types, and payments to oneself, are
 * read from balance changes.
 */
export function xrpTransfers(transaction: XrpTransaction): Transfer[] {
  const { tx, meta, at } = transaction;
  if (!transaction.validated || !meta || at === null) return [];
  const payment = tx.TransactionType === 'Payment' && tx.Destination !== undefined && tx.Destination !== tx.Account;
  let movements: XrpMovement[];
  if (!succeeded(transaction)) movements = payment ? failedPayment(transaction) : [];
  else if (payment) movements = paid(transaction);
  else movements = exchanged(balanceChanges(transaction));
  const transfers = movements.map((movement, seq) => toTransfer(transaction, at, movement, seq));
  numberEquals(transfers);
  return transfers;
}

/** Returns what the sender of a payment gave up in other assets than the delivered one. */
export function spentOtherwise(transaction: XrpTransaction, delivered: Transfer[]): XrpAmount[] {
  if (transaction.tx.TransactionType !== 'Payment' || !succeeded(transaction)) return [];
  const arrived = new Set(delivered.filter(({ kind }) => kind !== 'dex').map(({ token }) => token));
  return spentBeside(transaction, balanceChanges(transaction), arrived);
}

function spentBeside(
  { tx }: XrpTransaction,
  groups: readonly AssetChanges[],
  arrived: ReadonlySet<string | null>,
): XrpAmount[] {
  return groups.flatMap((group) => {
    const change = changeOf(group, tx.Account);
    return change.startsWith('-') && !arrived.has(group.asset.token)
      ? [{ ...group.asset, value: change.slice(1) }]
      : [];
  });
}

/** The amount that a successful partial payment names: the most that it would deliver, whatever arrived. */
export function statedByPartial(transaction: XrpTransaction): XrpAmount | null {
  const { tx } = transaction;
  const isPartial = tx.TransactionType === 'Payment' && (tx.Flags & PARTIAL_PAYMENT) !== 0;
  return isPartial && succeeded(transaction) ? statedAmount(tx) : null;
}

function failedPayment({ tx }: XrpTransaction): XrpMovement[] {
  const asset = statedAmount(tx);
  return asset ? [{ index: 'payment', from: tx.Account, to: tx.Destination!, asset, failed: true }] : [];
}

/** The payment itself, what its sender exchanged for what arrived, and what others did. */
function paid(transaction: XrpTransaction): XrpMovement[] {
  const { tx } = transaction;
  const to = tx.Destination!;
  const delivered = deliveredAmounts(transaction);
  const groups = balanceChanges(transaction);
  const others = exchangedWithOthers(transaction, groups);
  return [
    ...delivered.map((asset, n) => ({ index: n === 0 ? 'payment' : `payment:${n}`, from: tx.Account, to, asset })),
    ...keptByIssuers(transaction, groups, delivered),
    // Where no other took part, the destination itself redeemed what the sender gave up.
    ...(others.length === 0 ? [] : exchangedBySender(transaction, groups, delivered)),
    ...others,
  ];
}

/** Returns the fees that issuers keep of a payment in their currency: the sender loses more than arrives. */
function keptByIssuers(
  { tx }: XrpTransaction,
  groups: readonly AssetChanges[],
  delivered: readonly XrpAmount[],
): XrpMovement[] {
  return delivered.flatMap((asset, n): XrpMovement[] => {
    const group = groups.find((one) => one.asset.token === asset.token);
    const { issuer } = asset;
    if (!group || issuer === null || issuer === tx.Account || issuer === tx.Destination) return [];
    const { changes } = group;
    const scale = Math.max(group.scale, fractionDigits(asset.value));
    const change = (account: string) => (changes.get(account) ?? 0n) * 10n ** BigInt(scale - group.scale);
    // What arrives may vanish in the digits of a large balance: it was delivered all the same.
    const lost: bigint = -change(tx.Account) - parseUnits(asset.value, scale);
    const gained: bigint = change(issuer);
    if (lost <= 0n || gained <= 0n) return [];
    const value = formatUnits(lost > gained ? gained : lost, scale);
    return [{ index: `kept:${n}`, from: tx.Account, to: issuer, asset: { ...asset, value } }];
  });
}

/**
 * Returns what the sender of a payment across currencies gave up, and what it got for that: the payment counts what it paid on.
 * Empty where it paid with what arrived.
 */
function exchangedBySender(
  transaction: XrpTransaction,
  groups: readonly AssetChanges[],
  delivered: readonly XrpAmount[],
): XrpMovement[] {
  const { tx, hash } = transaction;
  const given = spentBeside(transaction, groups, new Set(delivered.map(({ token }) => token)));
  const got = delivered.map((asset): XrpAmount => {
    const group = groups.find((one) => one.asset.token === asset.token);
    return { ...asset, value: addAmounts(asset.value, group ? changeOf(group, tx.Account) : '0') };
  });
  const isGain = ({ value }: XrpAmount) => given.length > 0 && !value.startsWith('-') && value !== '0';
  return [
    ...given.map((asset) => exchange(hash, tx.Account, asset, 'gives')),
    ...got.filter(isGain).map((asset) => exchange(hash, tx.Account, asset, 'gets')),
  ];
}

/** Returns what those gained and lost whose offers, pools or trust lines a payment went through. */
function exchangedWithOthers({ tx, hash }: XrpTransaction, groups: readonly AssetChanges[]): XrpMovement[] {
  return groups.flatMap(({ asset, scale, changes }) => {
    const own = new Set([tx.Account, tx.Destination, tx.Delegate, asset.issuer]);
    const others = [...changes].filter(([account]) => !own.has(account)).sort(([a], [b]) => compare(a, b));
    return others.map(([account, change]) => {
      const value = formatUnits(change < 0n ? -change : change, scale);
      return exchange(hash, account, { ...asset, value }, change < 0n ? 'gives' : 'gets');
    });
  });
}

/** One side of an exchange inside a payment: the other is the pseudo address of its transaction, which keeps nothing. */
function exchange(hash: string, account: string, asset: XrpAmount, side: 'gives' | 'gets'): XrpMovement {
  const hub = `tx:${hash}`;
  const [from, to] = side === 'gives' ? [account, hub] : [hub, account];
  return { index: `dex:${account}:${asset.token ?? 'XRP'}`, from, to, asset, kind: 'dex' };
}

/**
 * The server's word on what arrived. Old partial payments lack it (`unavailable`), and an amount "issued by the
 * destination" means any issuer that it trusts: there the balances of the destination decide. They do so of multi-purpose
 * tokens too, which the ledger counts exactly: old servers forget the issuer's fee there.
 */
function deliveredAmounts(transaction: XrpTransaction): XrpAmount[] {
  const { tx, meta } = transaction;
  const delivered = meta?.delivered_amount ?? meta?.DeliveredAmount;
  const partial = (tx.Flags & PARTIAL_PAYMENT) !== 0;
  const stated = delivered === undefined && !partial ? statedAmount(tx) : null;
  const asset = delivered !== undefined && delivered !== 'unavailable' ? readAmount(delivered) : stated;
  const isExact = asset !== null && isMpt(asset.token);
  if (asset && !isExact && asset.issuer !== tx.Destination && asset.issuer !== tx.Account) return [asset];

  const gains = balanceChanges(transaction).flatMap((group) => {
    const change = changeOf(group, tx.Destination!);
    const isSame = isExact ? group.asset.token === asset.token : !asset || group.asset.symbol === asset.symbol;
    return isSame && /^[1-9]|^0\./.test(change) ? [{ ...group.asset, value: change }] : [];
  });
  const isStated = !isExact && gains.some(({ token }) => token === asset?.token);
  return asset && (gains.length === 0 || isStated) ? [asset] : gains;
}

function statedAmount(tx: XrpTransaction['tx']): XrpAmount | null {
  const parsed = amountShape.safeParse(tx.DeliverMax ?? tx.Amount);
  return parsed.success ? readAmount(parsed.data) : null;
}

function exchanged(groups: AssetChanges[]): XrpMovement[] {
  return groups
    .flatMap(({ asset, scale, changes }) =>
      matchBalances(changes).flows.map(({ from, to, amount, apportioned }) => ({
        from,
        to,
        asset: { ...asset, value: formatUnits(amount, scale) },
        apportioned,
      })),
    )
    .map((movement, n) => ({ ...movement, index: `change:${n}` }));
}

/** Tags name a customer of the two accounts that the transaction names, or the escrow, check or channel that it pays out. */
function tagsOf({ tx, meta }: XrpTransaction, { from, to }: XrpMovement) {
  const named: readonly TaggedEnds[] = [tx, ...paidOutBy(meta)];
  return {
    destinationTag: named.find(({ Destination }) => Destination === to)?.DestinationTag ?? null,
    sourceTag: named.find(({ Account }) => Account === from)?.SourceTag ?? null,
  };
}

function toTransfer(transaction: XrpTransaction, at: number, movement: XrpMovement, seq: number): Transfer {
  const { tx, meta, hash, block, blockHash } = transaction;
  const { token, symbol, value } = movement.asset;
  const feePayer = feePayerOf(transaction);
  return createTransfer({
    chain: 'xrp',
    txHash: hash,
    index: movement.index,
    seq,
    block,
    blockHash,
    position: meta?.TransactionIndex ?? null,
    at,
    from: movement.from,
    to: movement.to,
    asset: assetName('xrp', token, symbol),
    token,
    amount: value,
    amountRaw: token === null ? parseUnits(value, 6).toString() : isMpt(token) ? value : null,
    decimals: token === null ? 6 : null,
    kind: movement.kind ?? (token === null ? 'native' : 'token'),
    failed: movement.failed ?? false,
    apportioned: movement.apportioned ?? false,
    txSender: tx.Account,
    method: tx.TransactionType,
    fee: dropsToXrp(tx.Fee),
    feePayer: feePayer === tx.Account ? null : feePayer,
    ...tagsOf(transaction, movement),
  });
}

import { z } from 'zod';
import { formatUnits, parseUnits } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import {
  amountShape,
  isMpt,
  issuedShape,
  mptAmount,
  mptUnitsShape,
  readAmount,
  trustBalanceShape,
  type XrpAmount,
} from './asset.ts';
import { feePayerOf, type XrpMeta, type XrpTransaction } from './transaction.ts';

type Fields = Record<string, unknown>;

const trustLineShape = z.object({ Balance: trustBalanceShape, LowLimit: issuedShape, HighLimit: issuedShape });

/** Computes the loss or gain of every account of one asset in one transaction, in units of 10^-scale. */
export interface AssetChanges {
  asset: XrpAmount;
  scale: number;
  changes: Map<string, bigint>;
}

interface Holding {
  account: string;
  asset: XrpAmount;
}

/** Below this part of what moved, a difference is the ledger's rounding to 15 digits and no redemption. */
const ROUNDING_PARTS = 10n ** 12n;

/**
 * Returns who lost and who gained what, by the ledger entries that the transaction changed, without the fee. Escrows,
 * payment channels and sponsored fees belong to their owner. What an issued currency lacks on one side was issued or redeemed.
 */
export function balanceChanges(transaction: XrpTransaction): AssetChanges[] {
  const meta = transaction.meta;
  if (!meta) return [];
  const moves: { holding: Holding; sign: 1 | -1 }[] = meta.AffectedNodes.flatMap(movesOf);
  const fee = readAmount(transaction.tx.Fee);
  moves.push({ holding: { account: feePayerOf(transaction), asset: fee }, sign: 1 });

  const byAsset = groupBy(moves, ({ holding }) => holding.asset.token);
  return [...byAsset.values()].map(sumUp).filter(({ changes }) => changes.size > 0);
}

/** `account`'s own change of one asset, signed decimal string. */
export function changeOf({ changes, scale }: AssetChanges, account: string): string {
  return formatUnits(changes.get(account) ?? 0n, scale);
}

function sumUp(moves: { holding: Holding; sign: 1 | -1 }[]): AssetChanges {
  const asset = moves[0]!.holding.asset;
  const scale = Math.max(...moves.map(({ holding }) => holding.asset.value.split('.')[1]?.length ?? 0));
  const changes = new Map<string, bigint>();
  let moved = 0n;
  for (const { holding, sign } of moves) {
    const units = parseUnits(holding.asset.value, scale) * BigInt(sign);
    changes.set(holding.account, (changes.get(holding.account) ?? 0n) + units);
  }
  let sum = 0n;
  for (const [account, change] of changes) {
    if (change === 0n) changes.delete(account);
    sum += change;
    moved += change < 0n ? -change : change;
  }
  const missing = sum < 0n ? -sum : sum;
  if (asset.issuer !== null && missing * ROUNDING_PARTS > moved) changes.set(asset.issuer, -sum);
  return { asset, scale, changes };
}

/** Returns by how many drops the escrows and payment channels of an account grew: its balance does not hold them. */
export function changeBeside({ meta }: XrpTransaction, account: string): bigint {
  const beside = (meta?.AffectedNodes ?? []).filter((node) => bodyOf(node).LedgerEntryType !== 'AccountRoot');
  return beside.flatMap(movesOf).reduce((sum, { holding, sign }) => {
    const isOwn = holding.account === account && holding.asset.token === null;
    return isOwn ? sum + BigInt(sign) * parseUnits(holding.asset.value, 6) : sum;
  }, 0n);
}

/** Returns what each party of a ledger entry held of it before the transaction, 0 of an entry that it created. */
export function holdingsBefore(node: XrpMeta['AffectedNodes'][number]): Holding[] {
  const body = bodyOf(node);
  const { LedgerEntryType: type } = body;
  const before = 'CreatedNode' in node ? null : holdings(type, previousFields(node));
  const held = before ?? holdings(type, body.NewFields ?? {}).map((one) => withValue(one, '0'));
  // Of a trust line without a balance either side may be the holder.
  const others = type === 'RippleState' ? held.flatMap(otherHolder) : [];
  return [...held, ...others];
}

function otherHolder({ account, asset }: Holding): Holding[] {
  const { symbol, issuer, value } = asset;
  if (issuer === null || Number(value) !== 0) return [];
  return [{ account: issuer, asset: { ...asset, token: `${symbol}.${account}`, issuer: account } }];
}

function withValue({ account, asset }: Holding, value: string): Holding {
  return { account, asset: { ...asset, value } };
}

export function bodyOf(node: XrpMeta['AffectedNodes'][number]) {
  return 'CreatedNode' in node ? node.CreatedNode : 'ModifiedNode' in node ? node.ModifiedNode : node.DeletedNode;
}

/** The holdings of a ledger entry before (to be taken away) and after (to be added). */
function movesOf(node: XrpMeta['AffectedNodes'][number]): { holding: Holding; sign: 1 | -1 }[] {
  const before = 'CreatedNode' in node ? null : previousFields(node);
  const after = afterFields(node);
  const type = bodyOf(node).LedgerEntryType;
  return [
    ...(before ? holdings(type, before).map((holding) => ({ holding, sign: -1 as const })) : []),
    ...(after ? holdings(type, after).map((holding) => ({ holding, sign: 1 as const })) : []),
  ];
}

function previousFields(node: XrpMeta['AffectedNodes'][number]): Fields {
  const body = bodyOf(node);
  // A field that was at its default is missing before; of MPTAmount only the empty list of changes shows it.
  const unheld = body.LedgerEntryType === 'MPToken' && Object.keys(body.PreviousFields ?? { none: 0 }).length === 0;
  return { ...body.FinalFields, ...(unheld ? { MPTAmount: '0' } : {}), ...body.PreviousFields };
}

/** A deleted entry keeps its last balance, which is 0 for accounts and trust lines; what it held in trust is gone. */
function afterFields(node: XrpMeta['AffectedNodes'][number]): Fields | null {
  if ('CreatedNode' in node) return node.CreatedNode.NewFields ?? {};
  if ('ModifiedNode' in node) return node.ModifiedNode.FinalFields ?? {};
  const { LedgerEntryType, FinalFields } = node.DeletedNode;
  return LedgerEntryType === 'AccountRoot' || LedgerEntryType === 'RippleState' ? (FinalFields ?? {}) : null;
}

function holdings(type: string, fields: Fields): Holding[] {
  if (type === 'AccountRoot') return own(fields.Account, fields.Balance);
  if (type === 'Escrow') return own(fields.Account, fields.Amount);
  // Set aside for the fees of another account.
  if (type === 'Sponsorship') return own(fields.Owner, fields.FeeAmount);
  if (type === 'PayChannel') return [...own(fields.Account, fields.Amount), ...paidOut(fields)];
  if (type === 'RippleState') return trustLine(fields);
  if (type === 'MPToken') return mptHolding(fields);
  return [];
}

function own(account: unknown, raw: unknown): Holding[] {
  const parsed = amountShape.safeParse(raw);
  return typeof account === 'string' && parsed.success ? [{ account, asset: readAmount(parsed.data) }] : [];
}

/** `Balance` of a channel is what was paid out of it so far. */
function paidOut(fields: Fields): Holding[] {
  return own(fields.Account, fields.Balance).map(({ account, asset }) => ({
    account,
    asset: { ...asset, value: negated(asset.value) },
  }));
}

/** A positive balance is held by the low side and issued by the high side; a negative one the other way round. */
function trustLine(fields: Fields): Holding[] {
  const parsed = trustLineShape.safeParse(fields);
  if (!parsed.success) return [];
  const { Balance: balance, LowLimit: low, HighLimit: high } = parsed.data;
  const negative = balance.value.startsWith('-');
  const [holder, issuer] = negative ? [high.issuer, low.issuer] : [low.issuer, high.issuer];
  return own(holder, { currency: balance.currency, issuer, value: negative ? balance.value.slice(1) : balance.value });
}

function mptHolding(fields: Fields): Holding[] {
  const { Account: account, MPTokenIssuanceID: id, MPTAmount = '0' } = fields;
  const amount = mptUnitsShape.safeParse(MPTAmount);
  const fits = typeof account === 'string' && typeof id === 'string' && isMpt(id) && amount.success;
  return fits ? [{ account, asset: mptAmount(id, amount.data) }] : [];
}

function negated(value: string): string {
  return value === '0' ? value : `-${value}`;
}

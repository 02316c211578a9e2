import { addressKey, parseAddressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { AddressLabel, Category } from '../../domain/label.ts';
import { assetId } from '../../domain/tracing/asset-id.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { tagsField } from '../../domain/transfers/tags.ts';
import type { Graph, Row } from '../port.ts';

/** A transfer as the statements list it: the far end with what is known of it, then the transfer. */
export type ListedTransfer = [
  far: string,
  category: Category | null,
  label: string | null,
  isContract: boolean | null,
  id: string,
  txHash: string,
  index: string | null,
  seq: number | null,
  at: number,
  block: number | null,
  position: number | null,
  usd: number | null,
  asset: string,
  amount: string,
  token: string | null,
  tokenId: string | null,
  destinationTag: number | null,
  sourceTag: number | null,
  feePaid: string | null,
  signer: string | null,
];

/** The transfer, as one that money is traced through. Fills `fees` with what `near` paid, `labels` with the far end's. */
export function toTraced(
  listed: ListedTransfer,
  near: { key: string; chain: Chain },
  direction: Direction,
  fees: Map<string, string>,
  labels: Map<string, AddressLabel>,
): TracedTransfer {
  const [
    far,
    category,
    label,
    isContract,
    id,
    txHash,
    index,
    seq,
    at,
    block,
    position,
    usd,
    asset,
    amount,
    token,
    tokenId,
    destinationTag,
    sourceTag,
    feePaid,
    signer,
  ] = listed;
  if (!labels.has(far)) labels.set(far, { category, label, ...(isContract === null ? {} : { isContract }) });
  if (feePaid !== null) fees.set(txHash, feePaid);
  return {
    id,
    from: direction === 'received' ? far : near.key,
    to: direction === 'received' ? near.key : far,
    txHash,
    index,
    seq: seq ?? 0,
    at,
    block,
    position,
    asset,
    assetId: assetId(near.chain, { token, tokenId, symbol: asset }),
    amount,
    usd: usd ?? 0,
    priced: usd !== null,
    ...tagsField(destinationTag, sourceTag),
    ...(signer && { signer: addressKey(near.chain, signer) }),
  };
}

/** An address with more counterparties is not asked: it would take as long as all the rest. */
const COUNTERPARTIES_MAX = 5_000;

interface TransactionRow extends Row {
  key: string;
  received: boolean;
  transfer: ListedTransfer;
}

/** A party of a transaction, by a transfer of it. */
export interface TransactionParty {
  key: string;
  one: TracedTransfer;
}

/** Reads what parties moved in transactions, with whose history it is from; of busy ones nothing. Adds the labels of the ends. Throws GraphError. */
export async function readTransactions(
  graph: Graph,
  wanted: readonly TransactionParty[],
  { labels, timeoutMs }: { labels: Map<string, AddressLabel>; timeoutMs: number },
): Promise<TransactionParty[]> {
  const items = [...groupBy(wanted, ({ key }) => key)].map(([key, parts]) => {
    const times = parts.map(({ one }) => one.at).sort((a, b) => a - b);
    // A map: in a list an engine compares every transfer with every hash.
    const named = Object.fromEntries(parts.map(({ one }) => [one.txHash, true]));
    return { key, from: times[0] as number, to: times.at(-1) as number, named };
  });
  const params = { items, most: COUNTERPARTIES_MAX };
  const rows = await graph.read<TransactionRow>('exposure/transactions', params, { timeoutMs });
  return rows.map(({ key, received, transfer }) => {
    const near = { key, chain: parseAddressKey(key).chain };
    return { key, one: toTraced(transfer, near, received ? 'received' : 'sent', new Map(), labels) };
  });
}

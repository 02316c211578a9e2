import type { Transfer } from '../../domain/transfers/transfer.ts';

/** A transfer as the graph keeps it: the properties of a TRANSFER, null where unknown. */
export interface Fact {
  id: string;
  tx_hash: string;
  index: string;
  seq: number;
  block: number | null;
  block_hash: string | null;
  position: number | null;
  at: number;
  asset: string;
  token: string | null;
  amount: string;
  amount_raw: string | null;
  decimals: number | null;
  usd: number | null;
  kind: string;
  apportioned: boolean;
  tx_sender: string | null;
  method: string | null;
  fee: string | null;
  token_id: string | null;
}

export const FACT_FIELDS = [
  'id',
  'tx_hash',
  'index',
  'seq',
  'block',
  'block_hash',
  'position',
  'at',
  'asset',
  'token',
  'amount',
  'amount_raw',
  'decimals',
  'usd',
  'kind',
  'apportioned',
  'tx_sender',
  'method',
  'fee',
  'token_id',
] as const satisfies (keyof Fact)[];

export function factOf(transfer: Transfer): Fact {
  return {
    id: transfer.id,
    tx_hash: transfer.txHash,
    index: transfer.index,
    seq: transfer.seq,
    block: transfer.block,
    block_hash: transfer.blockHash,
    position: transfer.position,
    at: transfer.at,
    asset: transfer.asset,
    token: transfer.token,
    amount: transfer.amount,
    amount_raw: transfer.amountRaw,
    decimals: transfer.decimals,
    usd: transfer.usd,
    kind: transfer.kind,
    apportioned: transfer.apportioned,
    tx_sender: transfer.txSender,
    method: transfer.method,
    fee: transfer.fee,
    token_id: transfer.tokenId,
  };
}

/** What `found` knows and `held` does not; null when that is nothing. What was known stays as it was. */
export function additions(held: Partial<Fact>, found: Fact): Partial<Fact> | null {
  const news = FACT_FIELDS.filter((field) => (held[field] ?? null) === null && found[field] !== null);
  return news.length === 0 ? null : Object.fromEntries(news.map((field) => [field, found[field]]));
}

/** The roll-up of all transfers of one ordered pair: the properties of a FLOW. */
export interface Flow {
  /** Sum over the priced transfers. */
  usd: number;
  /** Transfers, however many of them share a transaction. */
  tx_count: number;
  unpriced_count: number;
  first_at: number;
  last_at: number;
  /** The transaction of the most valuable transfer; of the earliest where none is priced. */
  top_tx_hash: string;
  top_usd: number | null;
  assets: string[];
}

export const FLOW_FIELDS = [
  'usd',
  'tx_count',
  'unpriced_count',
  'first_at',
  'last_at',
  'top_tx_hash',
  'top_usd',
  'assets',
] as const satisfies (keyof Flow)[];

type FlowFact = Pick<Fact, 'id' | 'tx_hash' | 'at' | 'asset'> & { usd?: number | null };

/** Rolls up at least one fact; the same facts in any order give the same Flow to the last bit. */
export function rollUp(facts: readonly FlowFact[]): Flow {
  const ranked = facts.length === 1 ? facts : [...facts].sort(byValue);
  const top = ranked[0]!;
  const flow: Flow = {
    usd: 0,
    tx_count: facts.length,
    unpriced_count: 0,
    first_at: top.at,
    last_at: top.at,
    top_tx_hash: top.tx_hash,
    top_usd: top.usd ?? null,
    assets: [],
  };
  const assets = new Set<string>();
  for (const fact of ranked) {
    if (typeof fact.usd === 'number') flow.usd += fact.usd;
    else flow.unpriced_count += 1;
    flow.first_at = Math.min(flow.first_at, fact.at);
    flow.last_at = Math.max(flow.last_at, fact.at);
    assets.add(fact.asset);
  }
  flow.assets = [...assets].sort();
  return flow;
}

function byValue(a: FlowFact, b: FlowFact): number {
  return (b.usd ?? -1) - (a.usd ?? -1) || a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

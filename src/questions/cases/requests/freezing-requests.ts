import { createHash } from 'node:crypto';
import { rounded, roundUsd, sumByAsset } from '../../../domain/amount.ts';
import type { Chain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { Category } from '../../../domain/label.ts';
import { chainReached } from '../../../domain/tracing/funds/chain-reached.ts';
import type { FundsRow } from '../../../domain/tracing/funds/row.ts';
import type { Language } from '../../../words/language.ts';
import type { ReachedAddress, ReachingTransaction } from '../../../words/request-lines.ts';
import type { Funds } from '../../tracing/funds/funds-of.ts';

/** Services that know their customers. */
const ASKED: readonly Category[] = ['exchange', 'high_risk_exchange', 'gambling', 'service'];

/** An address of a service at which money of a case arrived; one entry for each customer, by destination tag. */
interface RequestedAddress extends ReachedAddress {
  chain: Chain;
  label: string | null;
  destination_tag: number | null;
  first_at: string | null;
  last_at: string | null;
}

interface RequestedTransaction extends ReachingTransaction {
  chain: Chain;
  usd: number;
}

/** A request to one service: the rows of the account that ended there. */
export interface FreezingRequest {
  /** Of case and service: the same in every answer. */
  id: string;
  reference: string;
  service: string;
  category: Category;
  usd: number;
  /** Part of all the money, 0-1. */
  share: number;
  assets: Record<string, string>;
  addresses: RequestedAddress[];
  /** Named or not: of each address at most 50 tags are. */
  address_count: number;
  /** Oldest first; empty where the plan shows no ways. */
  transactions: RequestedTransaction[];
  /** Transactions that brought the money there, named or not. */
  transaction_count: number;
}

/** A request with all that its page states. */
export interface RequestPage {
  request: FreezingRequest;
  caseTitle: string;
  madeAt: string;
  language: Language;
}

/** The requests to the services where the money of a case arrived, largest first. */
export function freezingRequests(caseId: string, { rows, flows, total_usd }: Funds): FreezingRequest[] {
  const asked = rows.filter(
    (row): row is ServiceRow =>
      row.kind === 'party' &&
      row.category !== null &&
      ASKED.includes(row.category) &&
      row.chain !== null &&
      row.address !== null,
  );
  const requests = [...groupBy(asked, serviceOf)].map(([service, own]): FreezingRequest => {
    const id = requestId(caseId, service);
    const sorted = [...own].sort((a, b) => b.usd - a.usd || compare(a.address, b.address));
    const usd = roundUsd(sorted.reduce((sum, row) => sum + row.usd, 0));
    return {
      id,
      reference: `${caseId.slice(0, 8)}-${id.slice(0, 8)}`.toUpperCase(),
      service: sorted[0]!.label ?? service,
      category: sorted[0]!.category,
      usd,
      share: total_usd > 0 ? Math.min(1, rounded(usd / total_usd)) : 0,
      assets: sumByAsset(sorted.map(({ assets }) => assets)),
      addresses: sorted.flatMap(reachedIn),
      address_count: sorted.reduce((sum, { tag_count = 1 }) => sum + tag_count, 0),
      transactions: transactionsTo(sorted, flows),
      transaction_count: sorted.reduce((sum, { transfers }) => sum + transfers, 0),
    };
  });
  return requests.sort((a, b) => b.usd - a.usd || compare(a.id, b.id));
}

type ServiceRow = FundsRow & { category: Category; chain: Chain; address: string };

function reachedIn({ chain, address, label, usd, assets, first_at, last_at, tags }: ServiceRow): RequestedAddress[] {
  const parts = tags ?? [{ tag: null, usd, assets, first_at, last_at }];
  return parts.map(({ tag, ...part }) => ({
    chain,
    address,
    label,
    destination_tag: tag,
    usd: part.usd,
    assets: part.assets,
    first_at: part.first_at,
    last_at: part.last_at,
  }));
}

/** Addresses of one entity, or of one name, are one service. */
function serviceOf({ entity, label, chain, address }: ServiceRow): string {
  return entity ?? label?.split(':')[0]?.trim() ?? `${chain}:${address}`;
}

function requestId(caseId: string, service: string): string {
  const hex = createHash('sha256').update(`${caseId} ${service}`).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function transactionsTo(rows: readonly ServiceRow[], flows: Funds['flows']): RequestedTransaction[] {
  const places = new Set(rows.map(({ chain, address }) => `${chain} ${address}`));
  const arrived = flows.filter((flow) => places.has(`${chainReached(flow)} ${flow.to}`));
  return arrived
    .flatMap((flow) =>
      flow.transfers.map((transfer): RequestedTransaction => {
        const { from, to, bridge } = flow;
        // What came over a bridge is named as it arrived.
        const there = bridge && bridge.reason === null ? bridge.destination : null;
        const tx_hash = there?.tx_hash ?? transfer.tx_hash;
        return { ...transfer, tx_hash, at: there?.at ?? transfer.at, chain: chainReached(flow), from, to };
      }),
    )
    .sort((a, b) => compare(a.at, b.at) || compare(a.tx_hash, b.tx_hash));
}

import { z } from 'zod';
import { addAmounts, formatUnits } from '../amount.ts';
import { ClaimedLabelSchema } from '../claimed-label.ts';
import { compare } from '../compare.ts';
import { address, CategorySchema, label, txHash } from '../fields.ts';
import { CATEGORIES, isOwnLabel, isValidAt, type Label, listedCategory, UNLISTED_CATEGORIES } from '../label.ts';
import { compareTransfers, movedValue, type Transfer } from './transfer.ts';

const amounts = z.record(z.string(), z.number().describe('Whole units of the asset'));

export const FlowTotalsSchema = z
  .object({ sent: amounts.describe('By symbol'), received: amounts.describe('By symbol') })
  .meta({
    id: 'FlowTotals',
    description:
      'Quantities that were read, by asset: a lower bound; the 100 assets of most dollars, then of most transfers',
  });

export type FlowTotals = z.infer<typeof FlowTotalsSchema>;

/** Categories of the contract for counterparties: finer ones are shown as the one that stands for them. */
export const CounterpartyCategorySchema = z
  .enum(CATEGORIES)
  .exclude(UNLISTED_CATEGORIES)
  .meta({ id: 'CounterpartyCategory', description: 'Category of the best label; `unknown` without a label' });

export const CounterpartySchema = z
  .object({
    address,
    label,
    entity_id: z
      .string()
      .optional()
      .describe(
        'Its holder, for GET /graph/entities/{id}; left out where none is known, and of rows beyond the first 25',
      ),
    entity_name: z.string().optional().describe('What sure labels call the holder; left out without one'),
    category: CounterpartyCategorySchema,
    label_category: CategorySchema.optional().describe(
      'The category of the label where `category` is `other` because its list lacks it, such as `theft`',
    ),
    tx_count: z.int().describe('Transactions; one may hold several transfers, in both directions'),
    sent_count: z.int().describe('Transfers of value to it'),
    received_count: z.int().describe('Transfers of value from it'),
    value_by_asset: amounts.describe('Moved in both directions, by symbol, as in `flow_totals`'),
    tokens: z.array(z.string()).describe('The symbols of `value_by_asset`'),
    tx_hash: txHash.describe('The transaction of the largest transfer'),
    label_source: z
      .enum(['registry', 'explorer_tag', 'tenant'])
      .nullable()
      .describe(
        '`registry`: a loaded list; `explorer_tag`: a block explorer at scan time; `tenant`: your whitelist or your own label',
      ),
    own_labels: z
      .array(ClaimedLabelSchema)
      .optional()
      .describe('What your account says of it itself; left out where nothing'),
  })
  .meta({ id: 'Counterparty', description: 'Another side of the transfers of the scanned address' });

/** One party on the other side; counts and sums hold both directions unless named. */
export type Counterparty = z.infer<typeof CounterpartySchema>;

/** Anyone can send an address thousands of worthless tokens, each of its own name. */
const ASSETS_MAX = 100;

/** Results of `distinctTransfers`: sorting 75,000 transfers again for each reader takes longer than a pause may. */
const distinct = new WeakSet<readonly Transfer[]>();

/** Each transfer id once, oldest first; of two with one id the priced one is kept. Its own results it returns as they are. */
export function distinctTransfers(transfers: readonly Transfer[]): readonly Transfer[] {
  if (distinct.has(transfers)) return transfers;
  const byId = new Map<string, Transfer>();
  for (const transfer of transfers) {
    const known = byId.get(transfer.id);
    if (known === undefined || (known !== transfer && contentOrder(transfer, known) < 0))
      byId.set(transfer.id, transfer);
  }
  const ordered = Object.freeze([...byId.values()].sort(compareTransfers));
  distinct.add(ordered);
  return ordered;
}

/** Totals and counterparties of an address. */
export interface FlowSummary {
  /** Summed exactly per asset symbol, rounded once into a JSON number; at most 100 assets, those of most dollars. */
  totals: FlowTotals;
  /** At most `limit`, by US dollars where priced, then by transactions, then by address. */
  counterparties: Counterparty[];
  counterpartyCount: number;
  /** US dollars that moved, and those of them with counterparties that bear a label. */
  moved: { usd: number; labelledUsd: number };
}

/** Returns the part of what moved whose counterparties bear a label, to a thousandth; null where nothing priced moved. */
export function labelledShare({ usd, labelledUsd }: FlowSummary['moved']): number | null {
  return usd > 0 ? Math.round((labelledUsd / usd) * 1_000) / 1_000 : null;
}

export interface FlowOptions {
  labelsOf: (address: string) => readonly Label[];
  limit: number;
  /** Epoch ms: labels that ended before are not shown. */
  asOf: number;
}

/** Sums up the transfers that moved value between the address and others, each once; their order does not matter. */
export function summarizeFlow(
  address: string,
  transfers: readonly Transfer[],
  { labelsOf, limit, asOf }: FlowOptions,
): FlowSummary {
  const sent = new AssetSums();
  const received = new AssetSums();
  const parties = new Map<string, CounterpartyTotals>();
  for (const transfer of movements(address, transfers)) {
    const isSent = transfer.from === address;
    const other = isSent ? transfer.to : transfer.from;
    (isSent ? sent : received).add(transfer);
    const party = parties.get(other) ?? newParty(other, transfer);
    parties.set(other, party);
    party.usd += transfer.usd ?? 0;
    party.txs.add(transfer.txHash);
    if (isSent) party.sent++;
    else party.received++;
    party.sums.add(transfer);
    if ((transfer.usd ?? -1) > (party.evidence.usd ?? -1)) party.evidence = transfer;
  }
  const largest = [...parties.values()]
    .sort((a, b) => b.usd - a.usd || b.txs.size - a.txs.size || compare(a.address, b.address))
    .slice(0, limit);
  const counterparties = largest.map((party) => toCounterparty(party, labelsOf(party.address), asOf));
  const moved = { usd: 0, labelledUsd: 0 };
  for (const { address: party, usd } of parties.values()) {
    moved.usd += usd;
    if (labelsOf(party).some((label) => isValidAt(label, asOf))) moved.labelledUsd += usd;
  }
  const totals = { sent: sent.toNumbers(), received: received.toNumbers() };
  return { totals, counterparties, counterpartyCount: parties.size, moved };
}

interface CounterpartyTotals {
  address: string;
  usd: number;
  txs: Set<string>;
  sent: number;
  received: number;
  sums: AssetSums;
  /** The transfer of the largest known value, else the oldest. */
  evidence: Transfer;
}

function newParty(address: string, evidence: Transfer): CounterpartyTotals {
  return { address, usd: 0, txs: new Set(), sent: 0, received: 0, sums: new AssetSums(), evidence };
}

function toCounterparty(party: CounterpartyTotals, labels: readonly Label[], asOf: number): Counterparty {
  const label = labels.find((candidate) => isValidAt(candidate, asOf));
  const category = label === undefined ? 'unknown' : listedCategory(label.category);
  const valueByAsset = party.sums.toNumbers();
  return {
    address: party.address,
    label: label?.label ?? null,
    category,
    ...(label !== undefined && label.category !== category ? { label_category: label.category } : {}),
    tx_count: party.txs.size,
    sent_count: party.sent,
    received_count: party.received,
    value_by_asset: valueByAsset,
    tokens: Object.keys(valueByAsset),
    tx_hash: party.evidence.txHash,
    label_source: label === undefined ? null : labelSource(label),
  };
}

function labelSource(label: Label): Counterparty['label_source'] {
  if (isOwnLabel(label)) return 'tenant';
  return label.source === 'explorer_tag' || label.source === 'tenant' ? label.source : 'registry';
}

/** Value that moved between the address and somebody else, each once, oldest first. */
function movements(address: string, transfers: readonly Transfer[]): Transfer[] {
  return distinctTransfers(transfers).filter(
    (t) => t.from !== t.to && (t.from === address || t.to === address) && movedValue(t),
  );
}

/** Exact sums per asset symbol, whatever the number of decimals of each transfer. */
class AssetSums {
  readonly #units = new Map<string, Map<number, bigint>>();
  readonly #plain = new Map<string, string>();
  readonly #weights = new Map<string, { usd: number; count: number }>();

  add({ asset, amount, amountRaw, decimals, usd }: Transfer): void {
    const weight = this.#weights.get(asset) ?? { usd: 0, count: 0 };
    weight.usd += usd ?? 0;
    weight.count += 1;
    this.#weights.set(asset, weight);
    if (amountRaw === null || decimals === null) {
      this.#plain.set(asset, addAmounts(this.#plain.get(asset) ?? '0', amount));
      return;
    }
    const byDecimals = this.#units.get(asset) ?? new Map<number, bigint>();
    byDecimals.set(decimals, (byDecimals.get(decimals) ?? 0n) + BigInt(amountRaw));
    this.#units.set(asset, byDecimals);
  }

  /** Returns the numbers of the assets with most dollars, then with most transfers; keys in alphabetical order. */
  toNumbers(): Record<string, number> {
    const largest = [...this.#weights]
      .sort(([a, one], [b, two]) => two.usd - one.usd || two.count - one.count || compare(a, b))
      .slice(0, ASSETS_MAX)
      .map(([asset]) => asset)
      .sort();
    return Object.fromEntries(largest.map((asset) => [asset, Number(this.#total(asset))]));
  }

  #total(asset: string): string {
    let total = this.#plain.get(asset) ?? '0';
    for (const [decimals, units] of this.#units.get(asset) ?? [])
      total = addAmounts(total, formatUnits(units, decimals));
    return total;
  }
}

function contentOrder(a: Transfer, b: Transfer): number {
  if ((a.usd === null) !== (b.usd === null)) return a.usd === null ? 1 : -1;
  const [x, y] = [a, b].map(({ asked }) => Number(asked ?? false));
  if (x !== y) return y! - x!;
  return compare(JSON.stringify(a), JSON.stringify(b));
}

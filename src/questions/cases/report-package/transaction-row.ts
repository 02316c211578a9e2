import { createHash } from 'node:crypto';
import { plainDecimal } from '../../../domain/amount.ts';
import { caip2, isEvmChain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { type Label, listedCategory } from '../../../domain/label.ts';
import { dayOf, iso, isoInJapan } from '../../../domain/time.ts';
import { TRANSFER_FIELDS, type Transfer } from '../../../domain/transfers/transfer.ts';
import { SEVERITIES, type Severity } from '../../../risk/detection.ts';
import { PACKAGE_COLUMN_NAMES, type PackageColumn } from './columns.ts';

/** A detection that names a transfer as evidence. */
export interface DetectionOfTransfer {
  detectorId: string;
  severity: Severity;
  /** Its sentence in the language of the package. */
  reason: string;
}

const LABEL_FIELDS = [
  'chain',
  'address',
  'category',
  'label',
  'source',
  'confidence',
  'entity',
  'validFrom',
  'validTo',
  'maliciousContract',
] as const satisfies readonly (keyof Label)[];

/** Facts about a transfer beyond its own fields. */
export interface TransferFacts {
  subject: string;
  label: Label | null;
  /** The day of each list, by its name. */
  listDays: ReadonlyMap<string, string>;
  /** Hops to an illicit party that it leads to; null for none. */
  hops: number | null;
  /** US dollars of it that exposure traces to illicit parties; null where that is not known. */
  taintedUsd: number | null;
  /** US dollars of it that are on the way of the case's money; null for transfers that are not. */
  tracedUsd: number | null;
  detections: readonly DetectionOfTransfer[];
  /** Sentences beside those of the detections. */
  reasons: readonly string[];
  usdPerYen: number | null;
  /** False on later rows of one transaction. */
  isFirstOfTransaction: boolean;
}

/** A transfer as a row of the CSV without its number, in the order of the columns; '' = unknown. */
export function transactionRow(
  transfer: Transfer,
  ids: { caseId: string; generationId: string },
  facts: TransferFacts,
): string[] {
  const { subject, label, hops, taintedUsd, tracedUsd, detections } = facts;
  const isTraced = hops !== null || (taintedUsd ?? 0) >= 0.005;
  const isReceived = transfer.to === subject;
  const isSelf = transfer.from === transfer.to;
  const counterparty = isReceived ? transfer.from : transfer.to;
  const usdJpy = facts.usdPerYen === null ? null : 1 / facts.usdPerYen;
  const sorted = [...detections].sort((a, b) => compare(a.detectorId, b.detectorId));
  const columns: Record<PackageColumn, string | number | null> = {
    row_no: null,
    case_id: ids.caseId,
    report_id: ids.generationId,
    subject_address: subject,
    chain_id: caip2(transfer.chain),
    chain_name: transfer.chain,
    tx_hash: transfer.txHash,
    transfer_index: transfer.index,
    block_number: transfer.block,
    block_hash: transfer.blockHash,
    block_time_utc: iso(transfer.at),
    block_time_jst: isoInJapan(transfer.at),
    tx_status: 'success',
    direction: isSelf ? 'self' : isReceived ? 'in' : 'out',
    from_address: transfer.from,
    to_address: transfer.to,
    tx_sender: transfer.txSender,
    counterparty_address: counterparty,
    counterparty_category: label && listedCategory(label.category),
    counterparty_name: label && (label.entity ?? label.label),
    label_source: label && [label.source, facts.listDays.get(label.source)].filter(Boolean).join(' '),
    label_confidence: label && String(label.confidence / 100),
    asset_symbol: transfer.asset,
    asset_type: assetType(transfer),
    token_contract: transfer.token,
    token_id: transfer.tokenId,
    token_decimals: transfer.decimals,
    amount_raw: transfer.amountRaw,
    amount: transfer.amount,
    price_usd: priceUsd(transfer),
    value_usd: valueUsd(transfer),
    usd_jpy_rate: usdJpy === null ? null : usdJpy.toFixed(4),
    value_jpy: usdJpy === null || transfer.usd === null ? null : Math.floor(transfer.usd * usdJpy + 0.5).toFixed(0),
    price_source: transfer.usd === null ? 'unpriced' : `recorded ${dayOf(transfer.at)}`,
    fee_native: facts.isFirstOfTransaction ? transfer.fee : null,
    method: transfer.method,
    exposure_tier: hops === 1 ? 'direct' : isTraced ? 'indirect' : 'none',
    hop_distance: hops,
    tainted_value_usd: tracedValue({ isTraced, taintedUsd, tracedUsd }),
    detector_ids: [...new Set(sorted.map(({ detectorId }) => detectorId))].join(';'),
    severity: highest(sorted),
    reason_ja: [...new Set([...sorted.map(({ reason }) => reason), ...facts.reasons])].join(' '),
    evidence_sha256: digest({ transfer, label }),
  };
  return PACKAGE_COLUMN_NAMES.map((name) => plainText(columns[name]));
}

/** The traced money of the case, which every text of the package is about; elsewhere what leads to illicit parties. */
function tracedValue({
  isTraced,
  taintedUsd,
  tracedUsd,
}: { isTraced: boolean } & Pick<TransferFacts, 'taintedUsd' | 'tracedUsd'>): string | null {
  if (tracedUsd !== null && tracedUsd >= 0.005) return valueUsd({ usd: tracedUsd });
  return isTraced ? valueUsd({ usd: taintedUsd }) : null;
}

/** US dollars with two places; null where unpriced. */
export function valueUsd({ usd }: { usd: number | null }): string | null {
  return usd === null ? null : usd.toFixed(2);
}

function priceUsd({ usd, amount }: Transfer): string | null {
  const units = Number(amount);
  return usd === null || units === 0 ? null : plainDecimal((usd / units).toPrecision(12));
}

function assetType({ kind, assetType: standard, chain }: Transfer): string {
  if (standard !== null) return standard;
  if (kind === 'native' || kind === 'internal') return 'native';
  return kind === 'token' && isEvmChain(chain) ? 'erc20' : 'other';
}

function highest(detections: readonly DetectionOfTransfer[]): Severity | null {
  const ranks = detections.map(({ severity }) => SEVERITIES.indexOf(severity));
  return ranks.length === 0 ? null : SEVERITIES[Math.max(...ranks)]!;
}

/** Text of others may hold line breaks and invisible characters, which a cell must not begin with or hide. */
function plainText(value: string | number | null): string {
  return value === null ? '' : String(value).replace(/\p{C}/gu, ' ').trim();
}

/** Sorted: the JSON has one order, whatever order the fields came in. */
const DIGESTED = {
  label: [...LABEL_FIELDS].sort(),
  transfer: (Object.keys(TRANSFER_FIELDS) as (keyof Transfer)[]).sort(),
};

/** SHA-256 of the JSON of what a row was made from. */
function digest({ transfer, label }: { transfer: Transfer; label: Label | null }): string {
  const value = { label: label && picked(label, DIGESTED.label), transfer: picked(transfer, DIGESTED.transfer) };
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function picked<Value>(value: Value, fields: readonly (keyof Value)[]): Partial<Value> {
  const found: Partial<Value> = {};
  for (const field of fields) found[field] = value[field];
  return found;
}

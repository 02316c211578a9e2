import type { GraphContext, LabelsContext, RecordsContext } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Label } from '../../domain/label.ts';
import type { ScamType } from '../../domain/scam.ts';
import { updateNodes } from '../../labels/node-labels.ts';
import type { ScamReport } from '../../records/database/tables/scamdb.ts';
import { dropScamDomains, saveScamDomains } from '../../records/scamdb/domains.ts';
import { findScamAddress } from '../../records/scamdb/entries.ts';
import { decideScamReport, findVerifiedReports } from '../../records/scamdb/reports.ts';
import { refreshScamEntries } from '../../records/scamdb/write-entries.ts';

export interface ScamDecision {
  /** Id of a report. */
  id: string;
  decision: 'verified' | 'rejected';
  /** Name of the person who decided; kept with the report, not shown to the public. */
  by: string;
  /** Shown in the entry's history. */
  reason: string | null;
}

export interface DecidedReport {
  id: string;
  status: 'verified' | 'rejected';
  /** Null where no list and no verified report names the address. */
  entry_id: string | null;
  chain: Chain | 'evm';
  address: string;
}

type Stores = RecordsContext & GraphContext & LabelsContext;

const SOURCE = 'scamdb';
const CONFIDENCE = 90;

/**
 * Verifies or rejects a report, at any time again: entry, labels and graph follow in this order, and a run that was
 * cut short is completed by the same decision given again. Throws NotFoundError.
 */
export async function decideReport(stores: Stores, { id, decision, by, reason }: ScamDecision): Promise<DecidedReport> {
  const { records, now } = stores;
  const report = await decideScamReport(records, id, { status: decision, by, reason }, now());
  const { chain, address, family } = report;
  const source = `report:${id}`;
  if (decision === 'verified') {
    const domains = JSON.parse(report.domains) as string[];
    const rows = domains.map((domain) => ({ domain, family, address, source }));
    await saveScamDomains(records, rows, now());
  } else {
    await dropScamDomains(records, source, now());
  }
  await putOwnLabels(stores, report);
  await refreshScamEntries(records, [{ chain, address }], now());
  const entry = await findScamAddress(records, family, address);
  return { id, status: decision, entry_id: entry?.id ?? null, chain, address };
}

/** One label per chain and kind that a verified report names; what none names any more ends. */
async function putOwnLabels({ records, labels, graph, now }: Stores, report: ScamReport): Promise<void> {
  const verified = await findVerifiedReports(records, report);
  const wanted = new Map(verified.map((one) => [`${one.chain} ${one.type}`, toLabel(one)]));
  const isWanted = (label: Label) => [...wanted.values()].some((one) => sameStatement(one, label));
  const held = (await labels.findOnAllChains([report.address])).get(report.address) ?? [];
  const ended = held
    .filter((label) => label.source === SOURCE && label.validTo === null && !isWanted(label))
    .map((label) => ({ ...label, validTo: now() }));
  const stamp = await labels.beginLoad();
  const changed = await labels.put([...wanted.values(), ...ended], { stamp, list: false });
  await updateNodes({ labels, graph, now }, changed);
}

function toLabel({ chain, address, type }: { chain: Chain | 'evm'; address: string; type: ScamType }): Label {
  return {
    chain,
    address,
    category: type === 'drainer' ? 'drainer' : 'scam',
    label: `Reported: ${type.replaceAll('_', ' ')}`,
    source: SOURCE,
    confidence: CONFIDENCE,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: type === 'malicious_contract',
  };
}

function sameStatement(a: Label, b: Label): boolean {
  return a.chain === b.chain && a.address === b.address && a.category === b.category && a.label === b.label;
}

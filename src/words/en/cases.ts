import type { AddressType } from '../../chains/port.ts';
import type { CasePriority, CaseRole, CaseStatus, Disposition, MATCH_DECISIONS, NoteType } from '../../domain/case.ts';

/** The closed lists of cases and scans, as a reader of the language knows them. */
export interface CaseWords {
  statuses: Record<CaseStatus, string>;
  priorities: Record<CasePriority, string>;
  roles: Record<CaseRole, string>;
  noteTypes: Record<NoteType, string>;
  dispositions: Record<Disposition, string>;
  addressTypes: Record<AddressType, string>;
  /** Of score terms. */
  families: Record<string, string>;
  /** What the service itself writes into a timeline. */
  system: string;
  statusChanged: string;
  reportDownloaded: string;
  packageGenerated: string;
  /** Other entries that the service writes. */
  events: {
    packageDownloaded: string;
    requestDownloaded: string;
    addressAdded: string;
    addressesAdded: string;
    addressRemoved: string;
    scanStarted: string;
    judged: string;
    noteDeleted: string;
  };
  /** A likely match of a bridge, by what an analyst decided of it. */
  matchDecided: Record<(typeof MATCH_DECISIONS)[number], string>;
}

export const cases: CaseWords = {
  statuses: { open: 'open', in_review: 'in review', escalated: 'escalated', closed: 'closed', archived: 'archived' },
  priorities: { low: 'low', medium: 'medium', high: 'high', critical: 'critical' },
  roles: {
    subject: 'subject',
    counterparty: 'counterparty',
    victim: 'victim',
    intermediary: 'intermediary',
    service: 'service',
    other: 'other',
  },
  noteTypes: { comment: 'comment', finding: 'finding', decision: 'decision', evidence: 'evidence' },
  dispositions: { confirmed: 'confirmed', dismissed: 'dismissed', escalated: 'escalated', reported: 'reported' },
  addressTypes: {
    wallet: 'wallet',
    contract: 'contract',
    multisig: 'multi-signature wallet',
    token_account: 'token account',
    program: 'program',
    unknown: 'unknown',
  },
  families: {
    sanctions: 'sanctions',
    illicit_exposure: 'illicit exposure',
    indirect_exposure: 'indirect exposure',
    poisoning_contract: 'poisoning, contracts',
    structural: 'structure',
    behaviour: 'behaviour',
    cash_out: 'cash-out',
    gambling_privacy: 'gambling, privacy',
    anomaly: 'anomaly',
    floor: 'floor',
    ceiling: 'ceiling',
  },
  system: 'system',
  statusChanged: 'Status changed from {from} to {to}',
  reportDownloaded: 'Report downloaded as PDF',
  packageGenerated: 'Report package generated: {id}',
  events: {
    packageDownloaded: 'Report package downloaded: {file} of {id}',
    requestDownloaded: 'Freezing request downloaded: {service} ({reference})',
    addressAdded: 'Address added: {chain} {address}',
    addressesAdded: '{count} addresses added',
    addressRemoved: 'Address removed: {chain} {address}',
    scanStarted: 'Scan started: {count} addresses',
    judged: '{detector} of {chain} {address} judged: {disposition}',
    noteDeleted: 'Note deleted by {by}',
  },
  matchDecided: {
    confirmed: 'Confirmed as one transfer over a bridge: {from} {tx_out} and {to} {tx_in}. Reason: {reason}',
    rejected: 'Judged not to be one transfer over a bridge: {from} {tx_out} and {to} {tx_in}. Reason: {reason}',
    withdrawn:
      'Decision withdrawn on whether these are one transfer over a bridge: {from} {tx_out} and {to} {tx_in}. Reason: {reason}',
  },
};

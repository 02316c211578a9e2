import type { Chain } from './chain.ts';

/** Values that a case, its addresses and its notes may have; each list is closed. */
export const CASE_STATUSES = ['open', 'in_review', 'escalated', 'closed', 'archived'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const CASE_PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;
export type CasePriority = (typeof CASE_PRIORITIES)[number];

export const CASE_ROLES = ['subject', 'counterparty', 'victim', 'intermediary', 'service', 'other'] as const;
export type CaseRole = (typeof CASE_ROLES)[number];

export const NOTE_TYPES = ['comment', 'finding', 'decision', 'evidence'] as const;
export type NoteType = (typeof NOTE_TYPES)[number];

/** An analyst's judgement of one detection. */
export const DISPOSITIONS = ['confirmed', 'dismissed', 'escalated', 'reported'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export const MATCH_DECISIONS = ['confirmed', 'rejected', 'withdrawn'] as const;

interface TransactionRef {
  chain: Chain;
  tx_hash: string;
}

/** Entry that the service writes into a timeline: a kind and its values, which each reader sees in their language. */
export type CaseEvent =
  | { kind: 'status_changed'; from: CaseStatus; to: CaseStatus }
  | { kind: 'hold_set' | 'hold_ended'; by: string }
  | { kind: 'report_downloaded' }
  | { kind: 'package_generated'; generation_id: string }
  | { kind: 'package_downloaded'; generation_id: string; file: string }
  | { kind: 'case_exported'; file: string }
  | { kind: 'case_imported'; addresses: number; scans: number; transfers: number; digest: string }
  | { kind: 'entry_imported'; text: string }
  | { kind: 'request_downloaded'; service: string; reference: string }
  | { kind: 'address_added' | 'address_removed'; chain: Chain; address: string }
  | { kind: 'scan_started'; addresses: number }
  | { kind: 'scans_deleted'; scans: number; before: string }
  | { kind: 'judged'; address: string; chain: Chain; detector_id: string; disposition: Disposition }
  | { kind: 'note_deleted'; by: string }
  | {
      kind: 'match_decided';
      decision: (typeof MATCH_DECISIONS)[number];
      source: TransactionRef;
      destination: TransactionRef;
      /** As the analyst wrote it. */
      reason: string;
    };

/** The event as the text of its note. */
export function textOfEvent(event: CaseEvent): string {
  switch (event.kind) {
    case 'status_changed':
      return `Status changed from ${event.from} to ${event.to}`;
    case 'hold_set':
      return `Legal hold set by ${event.by}`;
    case 'hold_ended':
      return `Legal hold ended by ${event.by}`;
    case 'report_downloaded':
      return 'Report downloaded as PDF';
    case 'package_generated':
      return `Report package generated: ${event.generation_id}`;
    case 'package_downloaded':
      return `Report package downloaded: ${event.file} of ${event.generation_id}`;
    case 'case_imported':
      return `Imported: ${event.addresses} addresses, ${event.scans} scans, ${event.transfers} transfers (${event.digest})`;
    case 'entry_imported':
      return event.text;
    case 'case_exported':
      return `Exported: ${event.file}`;
    case 'request_downloaded':
      return `Freezing request downloaded: ${event.service} (${event.reference})`;
    case 'address_added':
      return `Address added: ${event.chain} ${event.address}`;
    case 'address_removed':
      return `Address removed: ${event.chain} ${event.address}`;
    case 'scan_started':
      return `Scan started: ${event.addresses} addresses`;
    case 'scans_deleted':
      return `Records of ${event.scans} scans of its addresses from before ${event.before} deleted`;
    case 'judged':
      return `${event.detector_id} of ${event.chain} ${event.address} judged: ${event.disposition}`;
    case 'note_deleted':
      return `Note deleted by ${event.by}`;
    case 'match_decided': {
      const [out, arrived] = [event.source, event.destination];
      return `Likely match of ${out.chain} ${out.tx_hash} with ${arrived.chain} ${arrived.tx_hash} ${event.decision}: ${event.reason}`;
    }
  }
}

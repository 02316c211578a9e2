import { z } from 'zod';
import { CHAINS } from './chain.ts';
import { address } from './fields.ts';

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

const ChainTransactionSchema = z
  .object({ chain: z.enum(CHAINS), tx_hash: z.string().describe('The transaction') })
  .meta({ id: 'ChainTransaction', description: 'A transaction of a chain' });

/** Entry that the service writes into a timeline: a kind and its values, which each reader sees in their language. */
export const CaseEventSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('status_changed').describe('What happened'),
      from: z.enum(CASE_STATUSES).describe('Status before'),
      to: z.enum(CASE_STATUSES).describe('Status after'),
    }),
    z.object({
      kind: z.enum(['hold_set', 'hold_ended']).describe('What happened'),
      by: z.string().describe('Name of the key or person that set or ended the legal hold'),
    }),
    z.object({ kind: z.literal('report_downloaded').describe('What happened') }),
    z.object({
      kind: z.literal('package_generated').describe('What happened'),
      generation_id: z.string().describe('Id of the report package'),
    }),
    z.object({
      kind: z.literal('package_downloaded').describe('What happened'),
      generation_id: z.string().describe('Id of the report package'),
      file: z.string().describe('Name of the file'),
    }),
    z.object({
      kind: z.literal('case_imported').describe('What happened'),
      addresses: z.int().describe('Addresses that came with the case'),
      scans: z.int().describe('Scans that came with it, of the installation that it comes from'),
      transfers: z.int().describe('Transfers that came with it'),
      digest: z.string().describe('SHA-256 of the manifest of the archive'),
    }),
    z.object({
      kind: z.literal('entry_imported').describe('What happened'),
      text: z.string().describe('What the service of the other installation wrote'),
    }),
    z.object({
      kind: z.literal('case_exported').describe('What happened'),
      file: z.string().describe('Name of the file'),
    }),
    z.object({
      kind: z.literal('request_downloaded').describe('What happened'),
      service: z.string().describe('Whom the request asks'),
      reference: z.string().describe('Of the request'),
    }),
    z.object({
      kind: z.enum(['address_added', 'address_removed']).describe('What happened'),
      chain: z.enum(CHAINS),
      address,
    }),
    z.object({
      kind: z.literal('scan_started').describe('What happened'),
      addresses: z.int().describe('Addresses that are scanned'),
    }),
    z.object({
      kind: z.literal('scans_deleted').describe('What happened'),
      scans: z.int().describe('Deleted scans of addresses of the case'),
      before: z.string().describe('They were recorded earlier'),
    }),
    z.object({
      kind: z.literal('judged').describe('What happened'),
      chain: z.enum(CHAINS),
      address,
      detector_id: z.string().describe('The detection that was judged'),
      disposition: z.enum(DISPOSITIONS).describe('The judgement'),
    }),
    z.object({
      kind: z.literal('note_deleted').describe('What happened'),
      by: z.string().describe('Name of the key that deleted the note'),
    }),
    z.object({
      kind: z.literal('match_decided').describe('What happened'),
      decision: z.enum(MATCH_DECISIONS).describe('What was decided of the likely match of a bridge'),
      source: ChainTransactionSchema.describe('Where the money left'),
      destination: ChainTransactionSchema.describe('Where it arrived'),
      reason: z.string().describe('As the analyst wrote it'),
    }),
  ])
  .meta({ id: 'CaseEvent', description: 'What the service wrote into the timeline, to be shown in any language' });

export type CaseEvent = z.infer<typeof CaseEventSchema>;

/** Returns the event as the text of its note. */
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

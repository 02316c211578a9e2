import type { CaseStatus } from './case.ts';
import type { Chain } from './chain.ts';

export const MATCH_DECISIONS = ['confirmed', 'rejected', 'withdrawn'] as const;

export interface ChainTransaction {
  chain: Chain;
  tx_hash: string;
}

/** What the service writes into a timeline: a kind and its values, which each reader sees in their language. */
export type CaseEvent =
  | { kind: 'status_changed'; from: CaseStatus; to: CaseStatus }
  | { kind: 'report_downloaded' }
  | { kind: 'package_generated'; generation_id: string }
  | {
      kind: 'match_decided';
      decision: (typeof MATCH_DECISIONS)[number];
      source: ChainTransaction;
      destination: ChainTransaction;
      /** As the analyst wrote it. */
      reason: string;
    };

/** The event as the text of its note. */
export function textOfEvent(event: CaseEvent): string {
  switch (event.kind) {
    case 'status_changed':
      return `Status changed from ${event.from} to ${event.to}`;
    case 'report_downloaded':
      return 'Report downloaded as PDF';
    case 'package_generated':
      return `Report package generated: ${event.generation_id}`;
    case 'match_decided': {
      const [out, arrived] = [event.source, event.destination];
      return `Likely match of ${out.chain} ${out.tx_hash} with ${arrived.chain} ${arrived.tx_hash} ${event.decision}: ${event.reason}`;
    }
  }
}

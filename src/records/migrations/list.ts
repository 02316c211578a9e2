import type { Migration } from 'kysely';
import { up as firstTables } from './0001-first-tables.ts';
import { up as jobs } from './0002-jobs.ts';
import { up as scamDatabase } from './0006-scam-database.ts';
import { up as riskSettings } from './0007-risk-settings.ts';
import { up as periodicWork } from './0008-periodic-work.ts';
import { up as scamSearchLater } from './0010-scam-search-later.ts';
import { up as jobLanes } from './0011-job-lanes.ts';
import { up as scanHistory } from './0030-scan-history.ts';
import { up as strictSanctions } from './0042-strict-sanctions.ts';
import { up as bridgeContracts } from './0070-bridge-contracts.ts';
import { up as matchDecisions } from './0081-match-decisions.ts';
import { up as fairClaims } from './0084-fair-claims.ts';
import { up as cases } from './cases/0020-cases.ts';
import { up as caseJobs } from './cases/0040-case-jobs.ts';
import { up as reportPackages } from './cases/0050-report-packages.ts';
import { up as noteEvents } from './cases/0083-note-events.ts';
import { up as labelChanges } from './labels/0009-label-changes.ts';
import { up as labelLists } from './labels/0041-label-lists.ts';
import { up as events } from './monitoring/0021-events.ts';
import { up as webhooks } from './monitoring/0031-webhooks.ts';
import { up as watchlist } from './monitoring/0032-watchlist.ts';
import { up as watchLabelState } from './monitoring/0060-watch-label-state.ts';
import { up as webhookDelivery } from './monitoring/0061-webhook-delivery.ts';
import { up as discoveriesByChain } from './monitoring/0080-discoveries-by-chain.ts';
import { up as followCoverage } from './monitoring/0085-follow-coverage.ts';

/** Every step of the schema in order; a step that was released is never changed again. */
export const migrations: Record<string, Migration> = {
  '0001-first-tables': { up: firstTables },
  '0002-jobs': { up: jobs },
  '0006-scam-database': { up: scamDatabase },
  '0007-risk-settings': { up: riskSettings },
  '0008-periodic-work': { up: periodicWork },
  '0009-label-changes': { up: labelChanges },
  '0010-scam-search-later': { up: scamSearchLater },
  '0011-job-lanes': { up: jobLanes },
  '0020-cases': { up: cases },
  '0021-events': { up: events },
  '0030-scan-history': { up: scanHistory },
  '0031-webhooks': { up: webhooks },
  '0032-watchlist': { up: watchlist },
  '0040-case-jobs': { up: caseJobs },
  '0041-label-lists': { up: labelLists },
  '0042-strict-sanctions': { up: strictSanctions },
  '0050-report-packages': { up: reportPackages },
  '0060-watch-label-state': { up: watchLabelState },
  '0061-webhook-delivery': { up: webhookDelivery },
  '0070-bridge-contracts': { up: bridgeContracts },
  '0080-discoveries-by-chain': { up: discoveriesByChain },
  '0081-match-decisions': { up: matchDecisions },
  '0083-note-events': { up: noteEvents },
  '0084-fair-claims': { up: fairClaims },
  '0085-follow-coverage': { up: followCoverage },
};

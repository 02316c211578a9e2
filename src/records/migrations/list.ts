import type { AnyStore } from '../dialect.ts';
import { createSchema } from './0001-schema.ts';
import { addDeliveryAttempts } from './0100-delivery-attempts.ts';
import { nameReceiptsByTransaction } from './0101-transfer-ids.ts';
import { addKeyRights } from './0102-key-rights.ts';
import { addKeptLists } from './0103-kept-lists.ts';
import { addAuditLog } from './0104-audit-log.ts';
import { addMailRecipients } from './0105-mail-recipients.ts';
import { addBoards } from './0106-boards.ts';
import { addReadAlerts } from './0106-read-alerts.ts';
import { addLabelProgramme } from './0108-label-programme.ts';
import { nameKnownLabels } from './0130-label-names.ts';
import { addWorthlessTransfers } from './0140-worthless-transfers.ts';
import { countLostWork } from './0150-lost-work.ts';
import { addStoredBytes } from './0160-stored-bytes.ts';
import { addLiveWatch } from './0170-live-watch.ts';
import { addUnfinishedLoads } from './0180-unfinished-loads.ts';
import { addMetAddresses } from './0190-met-addresses.ts';
import { addLoadSources } from './0200-load-sources.ts';
import { keepLiveByAccount } from './0210-live-by-account.ts';
import { addCaseEvidence, markImportedJudgements } from './0220-case-evidence.ts';
import { addLabelledShare } from './0231-labelled-share.ts';
import { addApprovals, addPeople, addSessions, addViews } from './0240-people.ts';
import { addTransfers } from './0270-transfers.ts';
import { addAlertQueue } from './0280-alerts.ts';
import { addRules } from './0290-rules.ts';
import { addLiveNotices } from './0300-live-notices.ts';
import { letHopsBeUnknown } from './0320-case-hops.ts';
import { addOwnLabels } from './0360-own-labels.ts';
import { addSignedLabels } from './0361-signed-labels.ts';
import { addKeeping } from './0380-keeping.ts';
import { addSuspendedAccounts } from './0382-suspended-accounts.ts';
import { addSecretCanary } from './0384-secret-canary.ts';
import { addAlertMails } from './0386-alert-mails.ts';
import { indexLiveJobs } from './0390-live-jobs.ts';
import { addTimeStamps } from './0400-time-stamps.ts';
import { indexTracedAddresses } from './0430-traced-addresses.ts';

/** Changes the schema, in the transaction of all steps that a store lacks. */
export type MigrationStep = (db: AnyStore) => Promise<void>;

/**
 * Every step of the schema in order; a step that was released is never changed again. The next one is numbered 0100:
 * lower numbers stood for the steps that the first one replaced.
 */
export const migrations: Record<string, MigrationStep> = {
  '0001-schema': createSchema,
  '0100-delivery-attempts': addDeliveryAttempts,
  '0101-transfer-ids': nameReceiptsByTransaction,
  '0102-key-rights': addKeyRights,
  '0103-kept-lists': addKeptLists,
  '0104-audit-log': addAuditLog,
  '0105-mail-recipients': addMailRecipients,
  '0106-boards': addBoards,
  '0106-read-alerts': addReadAlerts,
  '0108-label-programme': addLabelProgramme,
  '0130-label-names': nameKnownLabels,
  '0140-worthless-transfers': addWorthlessTransfers,
  '0150-lost-work': countLostWork,
  '0160-stored-bytes': addStoredBytes,
  '0170-live-watch': addLiveWatch,
  '0180-unfinished-loads': addUnfinishedLoads,
  '0190-met-addresses': addMetAddresses,
  '0200-load-sources': addLoadSources,
  '0210-live-by-account': keepLiveByAccount,
  '0220-case-evidence': addCaseEvidence,
  // Changes no table: after any step the store is counted by what `stored-bytes.ts` names now.
  '0230-more-stored-bytes': async () => {},
  '0231-labelled-share': addLabelledShare,
  '0240-people': addPeople,
  '0241-sessions': addSessions,
  '0242-views': addViews,
  '0243-approvals': addApprovals,
  '0270-transfers': addTransfers,
  '0280-alerts': addAlertQueue,
  '0290-rules': addRules,
  '0300-live-notices': addLiveNotices,
  '0320-case-hops': letHopsBeUnknown,
  '0350-imported-judgements': markImportedJudgements,
  '0360-own-labels': addOwnLabels,
  '0361-signed-labels': addSignedLabels,
  '0380-keeping': addKeeping,
  '0382-suspended-accounts': addSuspendedAccounts,
  '0384-secret-canary': addSecretCanary,
  '0386-alert-mails': addAlertMails,
  '0390-live-jobs': indexLiveJobs,
  '0400-time-stamps': addTimeStamps,
  // The same: the watched parties of transfers.
  '0420-stored-parties': async () => {},
  '0430-traced-addresses': indexTracedAddresses,
};

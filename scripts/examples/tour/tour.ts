import { account, service } from './account.ts';
import { boards } from './boards.ts';
import { cases, reportPackage } from './cases.ts';
import { on, type TourGuide } from './guide.ts';
import { bridgeMatches, investigation } from './investigation.ts';
import { alertQueue, monitoring, rules, webhooks } from './monitoring.ts';
import { scanning, transfers } from './scans.ts';
import { scamDatabase, tokens } from './tokens-and-scams.ts';

/**
 * Calls every operation of the API on the demo world, in the order in which an analyst might. Each call moves the clock,
 * so what it starts in the background is waited for before the next one.
 */
export async function tour(guide: TourGuide): Promise<void> {
  await service(guide);
  await scanning(guide);
  await transfers(guide);
  await investigation(guide);
  await tokens(guide);
  await scamDatabase(guide);
  await account(guide);
  const caseId = await cases(guide);
  const boardId = await boards(guide, caseId);
  await reportPackage(guide, caseId);
  await webhooks(guide);
  await monitoring(guide);
  await alertQueue(guide);
  await rules(guide);
  await bridgeMatches(guide);
  // Last: what they watch is scanned and listened to beside all calls that follow.
  await guide.ask('watchCase', 200, { params: { case_id: caseId } });
  await guide.ask('watchBoard', 200, { params: { board_id: boardId } });
  // The one before was free, and had no effect.
  const body = { address: on(guide.world, 'clean_saver'), chain: 'ethereum', fresh: true };
  await guide.ask('scanAddressByPost', 200, { body });
}

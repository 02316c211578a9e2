import { expect, it } from 'vitest';
import calls from '../../../examples/calls.json' with { type: 'json' };
import { findAccount } from '../../../src/records/accounts/accounts.ts';
import { raiseAlert } from '../../../src/records/monitoring/alerts.ts';
import { openTestApp, type TestApp } from '../../app/test-app.ts';

const FULL_BYTES = 50 * 2 ** 30;
/** Operations that may add to a full account: each keeps one of a kind, of a bounded size, and adds nothing when it is repeated. */
const REPLACED = ['putRiskSettings', 'setLiveWatch', 'saveAlertView', 'setAlertTurns'];
/** Operations that end before they would store: they want a source, Neo4j, a person, a public host, or another state of what is there. */
const UNREACHED = [
  ...['addCaseAddress', 'askApproval', 'changePerson', 'createWebhook', 'decideApproval', 'decideBridgeMatch'],
  ...['queryTransfers', 'runOwnStatement', 'scanTransaction', 'setDisposition', 'startBulkScan', 'sweepContract'],
  'testWebhook',
];

const bodyOf = (operationId: string) => (calls as Record<string, { body?: object }>)[operationId]?.body;

it('adds nothing to an account that stores all it may, whichever operation is called with a body', async () => {
  const test = await openTestApp();
  const { key, accountId } = await test.issue('enterprise');
  const headers = { 'x-api-key': key, 'if-match': '"1"' };
  const ids = await openObjects(test, { headers, accountId });
  const stored = async () => (await findAccount(test.ctx.records, accountId)).stored_bytes;
  const add = async (bytes: number) => {
    const stored_bytes = (await stored()) + bytes;
    await test.ctx.records.updateTable('accounts').set({ stored_bytes }).where('id', '=', accountId).execute();
  };
  await add(FULL_BYTES);
  const grown: string[] = [];
  const refused: string[] = [];
  const unreached: string[] = [];
  for (const [path, operations] of Object.entries(test.app.swagger().paths!)) {
    for (const [method, operation] of Object.entries(operations as Record<string, { operationId: string }>)) {
      const { operationId } = operation;
      const body = bodyOf(operationId);
      if (!body || !path.startsWith('/api/v1/')) continue;
      const url = path.replace(/(\w+)\/\{(\w+)\}/g, (_, of: string, name: string) => `${of}/${ids[name] ?? ids[of]}`);
      const payload = JSON.parse(JSON.stringify(body), (name, value) => ids[name] ?? value);
      const before = await stored();
      const answer = await test.app.inject({ method: method.toUpperCase() as 'POST', url, headers, payload });
      const isAtLimit = answer.statusCode === 403 && answer.json().code === 'limit_reached';
      if (isAtLimit) refused.push(operationId);
      else if (answer.statusCode >= 300) unreached.push(operationId);
      if ((await stored()) > before) grown.push(operationId);
    }
  }
  expect(grown).toEqual(REPLACED);
  expect(refused).toEqual(
    expect.arrayContaining(['createCase', 'createBoard', 'createRule', 'changeRule', 'startBacktest', 'addAlertEvent']),
  );
  expect(unreached.sort()).toEqual(UNREACHED);
  await add(-FULL_BYTES);
});

/** Objects of the account, by the names that paths and bodies have for their ids, or by their place in paths. */
async function openObjects({ app, ctx }: TestApp, { headers, accountId }: { headers: object; accountId: string }) {
  const make = async (path: string, payload: object) => {
    const answer = await app.inject({ method: 'POST', url: `/api/v1${path}`, headers: { ...headers }, payload });
    return /"id":"([^"]+)"/.exec(answer.body)![1]!;
  };
  const case_id = await make('/cases', calls.createCase.body);
  const { id } = await raiseAlert(ctx.records, {
    ...{
      accountId,
      rule: 'level_changed',
      severity: 'high',
      title: 'Level changed',
      chain: 'ethereum',
      address: '0x01',
    },
    ...{ party: null, reference: null, eventId: null, data: {}, at: ctx.now() },
  });
  return {
    case_id,
    address_id: await make(`/cases/${case_id}/addresses`, calls.addCaseAddress.body),
    board_id: await make('/boards', { ...calls.createBoard.body, case_id }),
    config_id: await make('/webhooks/configs', { ...calls.createWebhook.body, webhook_url: 'https://1.1.1.1/' }),
    item_id: await make('/watchlist', calls.watchAddress.body),
    rules: await make('/rules', calls.createRule.body),
    alerts: id,
  } as Record<string, string>;
}

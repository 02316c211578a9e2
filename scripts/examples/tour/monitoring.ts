import { NOBODY } from '../recorder.ts';
import { isOver, type Job, on, type Started, type TourGuide } from './guide.ts';

export async function webhooks({ ask, until, hook }: TourGuide): Promise<void> {
  const body = { webhook_url: hook, description: 'Alerts', events: ['risk.critical_detected', 'watchlist.alert'] };
  const created = await ask('createWebhook', 200, { body });
  const { id: config_id } = (created as { config: { id: string } }).config;
  await ask('createWebhook', 400, { body: { webhook_url: 'ftp://hooks.example.com/' } });
  await ask('listWebhooks', 200);
  const params = { config_id };
  await ask('updateWebhook', 200, { params, body: { description: 'Alerts of the desk' } });
  await ask('updateWebhook', 400, { params, body: {} });
  await ask('testWebhook', 200, { body: { webhook_config_id: config_id } });
  await ask('testWebhook', 404, { body: { webhook_config_id: NOBODY } });

  type Log = { deliveries: { id: string; status: string }[] };
  const query = { config_id };
  const isSent = ({ deliveries }: Log) => deliveries.every(({ status }) => status === 'delivered');
  const { deliveries } = await until<Log>('listWebhookDeliveries', { query }, isSent);
  await ask('listWebhookDeliveries', 200, { query });
  const sent = { params: { delivery_id: deliveries[0]!.id } };
  await ask('getWebhookDelivery', 200, sent);
  await ask('replayWebhookDelivery', 200, sent);
  await until<Log>('listWebhookDeliveries', { query }, isSent);
  await ask('updateWebhook', 200, { params, body: { is_active: false } });
  await ask('replayWebhookDelivery', 409, sent);
  for (let i = 0; i < 4; i++) await ask('rotateWebhookSecret', 200, { params });
  await ask('rotateWebhookSecret', 409, { params });
  await ask('deleteWebhook', 200, { params });
}

export async function monitoring({ ask, until, world, keys }: TourGuide): Promise<void> {
  const watched = { address: on(world, 'laundering', 'layer_3'), chain: 'ethereum', label: 'Suspect' };
  const { item } = (await ask('watchAddress', 200, { body: watched })) as { item: { id: string } };
  const isScanned = ({ items }: { items: { last_scanned_at: string | null }[] }) =>
    items.every(({ last_scanned_at: at }) => at !== null);
  // The first scan runs in the background.
  await until('listWatchlist', {}, isScanned);
  await ask('listWatchlist', 200);
  await ask('watchAddress', 400, { body: { address: 'nobody' } });
  // The free plan watches one address.
  const other = { address: on(world, 'gambler'), chain: 'ethereum' };
  await ask('watchAddress', 403, { body: other, key: keys.free });

  const params = { item_id: item.id };
  // Refused while the first scan still holds the item.
  await until('rescanWatchedAddress', { params }, () => true);
  await ask('rescanWatchedAddress', 200, { params });
  await ask('setFollowMode', 200, { params, body: { enabled: true, depth: 2 } });
  // At once: the time of what is found is that of the clock.
  const isFound = ({ discoveries }: { discoveries: { id: string }[] }) => discoveries.length > 1;
  const { discoveries } = await until('listDiscoveries', { params }, isFound);
  await ask('listDiscoveries', 200, { params });
  await ask('listAlerts', 200, { query: { unread: 'true' } });
  await ask('readAlerts', 200, { body: {} });
  await ask('setLiveWatch', 200, { params, body: { live: true, movements: { above: 1_000 } } });
  await ask('setLiveWatch', 400, { params, body: {} });
  const [first, second] = discoveries.map(({ id }) => ({ params: { discovery_id: id } }));
  await ask('dismissDiscovery', 200, first);
  await ask('promoteDiscovery', 200, second);
  await ask('promoteDiscovery', 400, second);
  await ask('dismissDiscovery', 400, second);
  await ask('unwatchAddress', 200, { params });
}

export async function alertQueue({ ask, until }: TourGuide): Promise<void> {
  await ask('setAlertTurns', 200, { body: { assignees: ['Analyst'], in_turns: true } });
  await ask('getAlertTurns', 200);
  await ask('setAlertMails', 200, { body: { recipients: [{ address: 'desk@example.org', rhythm: 'daily' }] } });
  await ask('getAlertMails', 200);
  const { alerts } = await until<{ alerts: { id: string }[] }>(
    'listQueuedAlerts',
    {},
    ({ alerts }) => alerts.length > 0,
  );
  const params = { id: alerts[0]!.id };
  await ask('listQueuedAlerts', 200, { query: { state: 'open', limit: '10' } });
  await ask('listQueuedAlerts', 400, { query: { cursor: 'x' } });
  await ask('getQueuedAlert', 200, { params });
  await ask('addAlertEvent', 200, { params, body: { kind: 'assigned' } });
  await ask('addAlertEvent', 400, { params, body: { kind: 'closed' } });
  const close = { kind: 'closed', disposition: 'true_positive', comment: 'Reported to the authority' };
  await ask('addAlertEvent', 200, { params, body: close });
  await ask('addAlertEvent', 409, { params, body: close });
  await ask('addAlertEvents', 200, { body: { ...close, ids: [alerts[0]!.id] } });
  const view = { name: 'Open and mine', filter: { state: 'assigned', assignee: 'Analyst' } };
  const { id } = (await ask('saveAlertView', 200, { body: view })) as { id: string };
  await ask('listAlertViews', 200);
  await ask('deleteAlertView', 200, { params: { id } });
}

export async function rules({ ask, until }: TourGuide): Promise<void> {
  await ask('listRuleFacts', 200);
  const when = { all: [{ fact: 'level', operator: 'in', value: ['HIGH', 'CRITICAL'] }] };
  const made = await ask('createRule', 201, { body: { name: 'High or above', when, severity: 'high', mode: 'test' } });
  const { id } = (made as { rule: { id: string } }).rule;
  await ask('createRule', 400, { body: { name: 'Wrong', when: { all: [] } } });
  await ask('listRules', 200);
  await ask('changeRule', 200, { params: { id }, body: { mode: 'active' } });
  await ask('changeRule', 400, { params: { id }, body: {} });
  await ask('getRule', 200, { params: { id } });
  // Without what the demo scans at its start, and what is watched: how often those are scanned depends on the machine.
  const body = { from: '2026-11-20T10:00:30Z', to: '2026-11-20T10:05:00Z' };
  const { job_id } = (await ask('startBacktest', 202, { params: { id }, body })) as Started;
  const params = { id, job_id };
  await until<Job>('getBacktest', { params }, isOver);
  await ask('startBacktest', 400, { params: { id }, body: { from: body.to, to: body.from } });
  await ask('getBacktest', 200, { params });
  await ask('cancelBacktest', 200, { params });
  await ask('deleteRule', 200, { params: { id } });
}

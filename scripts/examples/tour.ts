import { roleOf, type World } from '../../fixtures/demo/world.ts';
import { NOBODY, type Recorder } from './recorder.ts';

interface Started {
  job_id: string;
}
interface Job {
  status: string;
}

const isOver = ({ status }: Job) => status === 'completed' || status === 'failed';

/** Everything that the tour needs of the demo. */
export interface TourGuide extends Recorder {
  world: World;
  keys: { enterprise: string; free: string; pro: string };
  /** An endpoint that answers 200. */
  hook: string;
}

/**
 * Calls every operation of the API on the demo world, in the order in which an analyst might. Each call moves the clock,
 * so what it starts in the background is waited for before the next one.
 */
export async function tour(guide: TourGuide): Promise<void> {
  await service(guide);
  await scanning(guide);
  await investigation(guide);
  await tokens(guide);
  await scamDatabase(guide);
  await account(guide);
  const caseId = await cases(guide);
  await reportPackage(guide, caseId);
  await webhooks(guide);
  await monitoring(guide);
  await bridgeMatches(guide);
}

const on = (world: World, story: string, name?: string, chain: 'ethereum' | 'tron' = 'ethereum') =>
  roleOf(world, chain, story, name).address;

async function service({ ask }: TourGuide): Promise<void> {
  await ask('getLive', 200);
  await ask('getReady', 200);
  await ask('getHealth', 200);
  await ask('getMetrics', 200);
  await ask('listEventTypes', 200);
  await ask('getUsage', 200);
}

async function scanning({ ask, until, world, keys }: TourGuide): Promise<void> {
  const thief = { address: on(world, 'laundering', 'layer_4'), chain: 'ethereum' };
  const query = thief;
  const { scan_id } = (await ask('scanAddress', 200, { query })) as { scan_id: string };
  await ask('scanAddress', 400, { query: { address: 'nobody' } });
  await ask('scanAddress', 404, { query: { address: on(world, 'empty_unknown'), chain: 'ethereum' } });
  await ask('scanAddressByPost', 200, { body: { ...thief, lang: 'en' } });
  await ask('scanAddressByPost', 400, { body: { ...thief, chain: 'bnb' } });
  await ask('scanAddressByPost', 404, { body: { address: on(world, 'empty_unknown'), chain: 'ethereum' } });
  await ask('listScans', 200, { query: { limit: '20' } });
  await ask('listScans', 400, { query: { chain: 'bnb' } });
  const params = { scan_id };
  await ask('getScan', 200, { params });
  await ask('listCounterparties', 200, { params, query: { limit: '100' } });

  const saver = on(world, 'clean_saver');
  await ask('checkPresign', 200, { query: { chain: 'ethereum', to: thief.address } });
  await ask('checkPresign', 400, { query: { chain: 'ethereum', to: 'nobody' } });

  await ask('startScan', 400, { body: { address: 'nobody' } });
  const { job_id: single } = (await ask('startScan', 202, { body: { address: saver } })) as Started;
  await until<Job>('getJob', { params: { job_id: single } }, isOver);
  await ask('getJob', 200, { params: { job_id: single } });
  await ask('retryJob', 409, { params: { job_id: single } });
  const nobody = { address: on(world, 'empty_unknown'), chain: 'ethereum' };
  const failed = { params: { job_id: ((await ask('startScan', 202, { body: nobody })) as Started).job_id } };
  await until<Job>('getJob', failed, isOver);
  await ask('retryJob', 202, failed);
  await until<Job>('getJob', failed, isOver);
  const addresses = [saver, { address: on(world, 'gambler'), chain: 'ethereum' }];
  await ask('startBatch', 400, { body: { addresses: ['nobody'] } });
  const { job_id: batch } = (await ask('startBatch', 200, { body: { addresses } })) as Started;
  await until<Job>('getJob', { params: { job_id: batch } }, isOver);
  await ask('getJobResults', 200, { params: { job_id: batch } });
  const hash = { tx_hash: await hashOf({ until, keys }, scan_id), chain: 'ethereum' };
  await ask('scanTransaction', 200, { body: hash });
  await ask('scanTransaction', 400, { body: { ...hash, tx_hash: 'none' } });
  await ask('scanTransaction', 404, { body: { ...hash, tx_hash: `0x${'0'.repeat(64)}` } });
}

/** The transaction of the largest counterparty of a scan. */
async function hashOf({ until }: Pick<TourGuide, 'until' | 'keys'>, scan_id: string): Promise<string> {
  const { top_counterparties: all } = await until<{ top_counterparties: { tx_hash: string }[] }>(
    'getScan',
    { params: { scan_id } },
    () => true,
  );
  return all[0]!.tx_hash;
}

async function investigation({ ask, until, world }: TourGuide): Promise<void> {
  const from = on(world, 'laundering', 'layer_1');
  const to = on(world, 'laundering', 'layer_4');
  const params = { address: to };
  await ask('getExposure', 200, { params, query: { chain: 'ethereum', max_hops: '5' } });
  await ask('getExposure', 400, { params: { address: 'nobody' } });
  const start = {
    params: { address: from },
    query: { chain: 'ethereum', max_hops: '5', categories: 'exchange,mixing' },
  };
  await ask('getTerminals', 200, start);
  await ask('getTerminals', 400, { params: { address: 'nobody' } });
  await ask('listGraphCounterparties', 200, { params, query: { chain: 'ethereum', limit: '5' } });
  await ask('listGraphCounterparties', 400, { params: { address: 'nobody' } });
  await ask('findFlowPath', 200, { body: { from_address: from, to_address: to, chain: 'ethereum', max_hops: 5 } });
  await ask('findFlowPath', 400, { body: { from_address: from, to_address: 'nobody' } });
  await ask('checkRelationship', 200, { body: { address_a: from, address_b: to, chain: 'ethereum' } });
  await ask('checkRelationship', 400, { body: { address_a: from, address_b: 'nobody' } });

  const body = {
    address: on(world, 'scam', 'scam_cashier'),
    chain: 'ethereum',
    direction: 'received',
    max_addresses: 5,
  };
  await ask('startTrace', 200, { body: { ...body, dry_run: true } });
  await ask('startTrace', 400, { body: { ...body, address: 'nobody' } });
  const { job_id } = (await ask('startTrace', 202, { body })) as Started;
  await until<Job>('getTrace', { params: { job_id } }, isOver);
  await ask('getTrace', 200, { params: { job_id } });
  await ask('getTraceResults', 200, { params: { job_id } });
  await ask('getRiskReport', 200, { params, query: { language: 'en' } });
  await ask('getRiskReport', 400, { params: { address: 'nobody' } });
}

const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const DATES = { start_date: '2026-08-10T00:00:00Z', end_date: '2026-10-31T00:00:00Z' };

async function tokens({ ask, world }: TourGuide): Promise<void> {
  const query = { address: on(world, 'payroll', 'company'), token_contract: USDT, chain: 'ethereum', ...DATES };
  const late = { start_date: DATES.end_date, end_date: DATES.start_date };
  await ask('queryTransfers', 200, { body: query });
  await ask('queryTransfers', 400, { body: { ...query, ...late } });
  const sweep = { token_contract: USDT, chain: 'ethereum', ...DATES };
  await ask('sweepContract', 200, { body: sweep });
  await ask('sweepContract', 400, { body: { ...sweep, ...late } });
}

async function bridgeMatches({ ask, until, world }: TourGuide): Promise<void> {
  const from = on(world, 'bridge_likely', 'causeway_1');
  const query = { address: from, chain: 'ethereum' };
  await until('scanAddress', { query }, () => true);
  const { terminals } = await until<{
    terminals: { path: { bridge: { crossing_id: string; destination: { tx_hash: string } } }[] }[];
  }>('getTerminals', { params: { address: from }, query: { chain: 'ethereum' } }, () => true);
  const { crossing_id, destination } = terminals[0]!.path[0]!.bridge;
  const { tx_hash } = destination;
  const body = {
    ...query,
    crossing_id,
    tx_hash,
    decision: 'confirmed',
    reason: 'Arrived in two minutes, less the fee',
  };
  await ask('decideBridgeMatch', 200, { body });
  await ask('decideBridgeMatch', 400, { body: { ...body, address: 'nobody' } });
  await ask('decideBridgeMatch', 404, { body: { ...body, tx_hash: `0x${'0'.repeat(64)}` } });
  await ask('listBridgeMatchDecisions', 200);
}

async function scamDatabase({ ask, world }: TourGuide): Promise<void> {
  const address = on(world, 'scam', 'scammer');
  const { entry } = (await ask('lookUpScam', 200, { params: { address } })) as { entry: { id: string } };
  await ask('lookUpScam', 400, { params: { address: 'nobody' } });
  await ask('getScam', 200, { params: { scam_id: entry.id } });
  await ask('listScams', 200, { query: { limit: '2' } });
  await ask('countScams', 200);
  await ask('searchScams', 200, { query: { q: address.slice(0, 12) } });
  const report = {
    address: on(world, 'gambler'),
    chain: 'ethereum',
    type: 'phishing',
    description: 'A false wallet page asked for a signature.',
    domains: ['claim.example'],
    stolen_usd: 1_200,
  };
  await ask('reportScam', 201, { body: report });
  await ask('reportScam', 400, { body: { ...report, address: 'nobody' } });
}

async function account({ ask, world }: TourGuide): Promise<void> {
  const { id } = (await ask('createApiKey', 201, { body: { name: 'laptop' } })) as { id: string };
  await ask('listApiKeys', 200);
  for (let i = 0; i < 3; i++) await ask('createApiKey', 201, { body: { name: 'tablet' } });
  await ask('createApiKey', 403, { body: { name: 'one too many' } });
  await ask('revokeApiKey', 200, { params: { id } });
  const trusted = { chain: 'ethereum', address: on(world, 'exchange_hot_wallet', 'exchange'), note: 'Our exchange' };
  await ask('putRiskSettings', 200, { body: { whitelist: [trusted], weights: { gambling_privacy: 0.5 } } });
  await ask('putRiskSettings', 400, { body: { whitelist: [{ address: 'nobody' }] } });
  await ask('getRiskSettings', 200);
  await ask('putRiskSettings', 200, { body: { whitelist: [], weights: {} } });
}

async function cases({ ask, until, world }: TourGuide): Promise<string> {
  const body = { title: 'Stolen withdrawal', priority: 'high' };
  const { case: opened } = (await ask('createCase', 200, { body })) as { case: { id: string } };
  await ask('createCase', 400, { body: { ...body, priority: 'soon' } });
  const case_id = opened.id;
  const params = { case_id };
  await ask('updateCase', 200, { params, body: { status: 'in_review' } });
  await ask('updateCase', 400, { params, body: {} });
  await ask('startBulkScan', 400, { params, body: {} });
  await ask('getCaseReport', 400, { params });
  await ask('startReportPackage', 400, { params, body: {} });

  const subject = { address: on(world, 'laundering', 'layer_4'), chain: 'ethereum', role: 'subject' };
  const { address } = (await ask('addCaseAddress', 200, { params, body: subject })) as { address: { id: string } };
  await ask('addCaseAddress', 400, { params, body: { ...subject, role: 'boss' } });
  const member = { case_id, address_id: address.id };
  await ask('updateCaseAddress', 200, { params: member, body: { label: 'Last wallet' } });
  await ask('updateCaseAddress', 400, { params: member, body: {} });
  const note = { content: 'The withdrawal was not ordered by the customer', note_type: 'finding' };
  const { note: written } = (await ask('addCaseNote', 200, { params, body: note })) as { note: { id: string } };
  await ask('addCaseNote', 400, { params, body: { ...note, note_type: 'rumour' } });

  await ask('startBulkScan', 202, { params, body: { rescan: true } });
  await until<Job>('getBulkScan', { params }, isOver);
  await ask('getBulkScan', 200, { params });
  await ask('suggestCaseAddresses', 200, { params, query: { limit: '5' } });
  const judgement = { address_id: address.id, detector_id: 'sanctions_indirect', disposition: 'reported' };
  await ask('setDisposition', 200, { params, body: { ...judgement, reason: 'Reported to the authority.' } });
  await ask('setDisposition', 400, { params, body: { ...judgement, detector_id: 'none', reason: 'None.' } });
  await ask('getCase', 200, { params });
  await ask('listCases', 200, { query: { status: 'in_review' } });
  await ask('deleteCaseNote', 200, { params: { case_id, note_id: written.id } });
  await ask('getCaseReport', 200, { params, query: { language: 'en' } });

  const { case: other } = (await ask('createCase', 200, { body })) as { case: { id: string } };
  const { address: extra } = (await ask('addCaseAddress', 200, { params: { case_id: other.id }, body: subject })) as {
    address: { id: string };
  };
  await ask('removeCaseAddress', 200, { params: { case_id: other.id, address_id: extra.id } });
  await ask('deleteCase', 200, { params: { case_id: other.id } });
  return case_id;
}

async function reportPackage({ ask, until }: TourGuide, case_id: string): Promise<void> {
  const params = { case_id };
  const started = await ask('startReportPackage', 202, { params, body: { language: 'en' } });
  const { generation_id } = started as { generation_id: string };
  await until<{ generations: Job[] }>('listReportPackages', { params }, ({ generations }) => generations.every(isOver));
  await ask('listReportPackages', 200, { params });
  const files = ['downloadEvidence', 'downloadDraft', 'downloadTransactions', 'downloadColumns', 'downloadManifest'];
  for (const file of files) await ask(file, 200, { params: { case_id, generation_id } });
}

async function webhooks({ ask, until, hook }: TourGuide): Promise<void> {
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
  await ask('replayWebhookDelivery', 200, sent);
  await until<Log>('listWebhookDeliveries', { query }, isSent);
  await ask('updateWebhook', 200, { params, body: { is_active: false } });
  await ask('replayWebhookDelivery', 409, sent);
  for (let i = 0; i < 4; i++) await ask('rotateWebhookSecret', 200, { params });
  await ask('rotateWebhookSecret', 409, { params });
  await ask('deleteWebhook', 200, { params });
}

async function monitoring({ ask, until, world, keys }: TourGuide): Promise<void> {
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
  const isFound = ({ discoveries }: { discoveries: { id: string }[] }) => discoveries.length > 1;
  const { discoveries } = await until('listDiscoveries', { params }, isFound);
  await ask('listDiscoveries', 200, { params });
  const [first, second] = discoveries.map(({ id }) => ({ params: { discovery_id: id } }));
  await ask('dismissDiscovery', 200, first);
  await ask('promoteDiscovery', 200, second);
  await ask('promoteDiscovery', 400, second);
  await ask('dismissDiscovery', 400, second);
  await ask('unwatchAddress', 200, { params });
}

import { demoBlock } from '../../../fixtures/local-block.ts';
import { isOver, type Job, on, type Started, type TourGuide } from './guide.ts';

export async function investigation({ ask, until, world, keys }: TourGuide): Promise<void> {
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
  await ask('getFunds', 200, { params: { address: from }, query: { chain: 'ethereum' } });
  await ask('getFunds', 400, { params: { address: 'nobody' } });
  await ask('getActivity', 200, { params: { address: from } });
  await ask('getActivity', 400, { params: { address: 'nobody' } });
  const wallet = {
    params: {
      address: world.labels.find(({ chain, label }) => chain === 'ethereum' && label.endsWith('hot wallet'))!.address,
    },
  };
  const { entity } = (await ask('getEntityOf', 200, { ...wallet, query: { chain: 'ethereum' } })) as {
    entity: { id: string } | null;
  };
  await ask('getEntityOf', 400, { params: { address: 'nobody' } });
  await ask('getEntity', 200, { params: { id: entity!.id }, query: { limit: '5' } });
  await ask('getAddressProfile', 200, { ...wallet, query: { chain: 'ethereum' } });
  await ask('getAddressProfile', 400, { params: { address: 'nobody' } });
  await ask('getEntity', 404, { params: { id: `ethereum:${from}` } });
  const near = { params: { address: from }, query: { chain: 'ethereum', max_hops: '1' } };
  const freeze = [{ address: to, at: '2026-01-01T00:00:00Z' }];
  await ask('askWhatIf', 200, { body: { address: from, chain: 'ethereum', freeze } });
  await ask('askWhatIf', 400, { body: { address: 'nobody', freeze } });
  const { flows } = (await ask('getFunds', 200, near)) as { flows: { transfers: { tx_hash: string }[] }[] };
  const { tx_hash } = flows[0]!.transfers[0]!;
  await ask('locateTransaction', 200, { params: { tx_hash } });
  await ask('openTransaction', 200, { params: { tx_hash }, query: { chain: 'ethereum' } });
  await ask('openTransaction', 400, { params: { tx_hash: 'nothing' }, query: { chain: 'ethereum' } });
  await ask('openTransaction', 404, { params: { tx_hash: `0x${'1'.repeat(64)}` }, query: { chain: 'ethereum' } });
  const provable = (await demoBlock()).block.transactions[0]!.hash;
  const transactions = [provable, tx_hash].map((hash) => ({ chain: 'ethereum', tx_hash: hash }));
  await ask('proveTransactions', 200, { body: { transactions } });
  await ask('proveTransactions', 400, { body: { transactions: [{ chain: 'ethereum', tx_hash: 'nothing' }] } });
  await ask('locateTransaction', 400, { params: { tx_hash: 'nothing' } });
  await ask('listGraphCounterparties', 200, { params, query: { chain: 'ethereum', limit: '5' } });
  await ask('listGraphCounterparties', 400, { params: { address: 'nobody' } });
  await ask('listPairTransfers', 200, { body: { pairs: [{ from, to, chain: 'ethereum' }], limit: 5 } });
  await ask('exportTransfers', 200, { query: { address: from, chain: 'ethereum' } });
  await ask('exportTransfers', 400, { query: { address: 'nobody' } });
  await ask('listPairTransfers', 400, { body: { pairs: [{ from: 'nobody', to }] } });
  const statement = 'MATCH (a:Address {key: $key}) RETURN a.category AS category';
  const own = { statement, params: { key: `ethereum:${from}` } };
  await ask('runOwnStatement', 403, { body: own, key: keys.free });
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

export async function bridgeMatches({ ask, until, world }: TourGuide): Promise<void> {
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

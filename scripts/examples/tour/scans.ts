import { isOver, type Job, on, type Started, type TourGuide } from './guide.ts';

export async function scanning({ ask, until, world, keys }: TourGuide): Promise<void> {
  const thief = { address: on(world, 'laundering', 'layer_4'), chain: 'ethereum' };
  const query = thief;
  const { scan_id } = (await ask('scanAddress', 200, { query })) as { scan_id: string };
  await ask('scanAddress', 400, { query: { address: 'nobody' } });
  await ask('scanAddress', 404, { query: { address: on(world, 'empty_unknown'), chain: 'ethereum' } });
  await ask('scanAddressByPost', 200, { body: { ...thief, lang: 'en' } });
  await ask('scanAddressByPost', 400, { body: { ...thief, chain: 'bnb' } });
  await ask('scanAddressByPost', 404, { body: { address: on(world, 'empty_unknown'), chain: 'ethereum' } });
  await ask('listScans', 200, { query: { limit: '20' } });
  await ask('exportScans', 200, { query: { risk_level: 'CRITICAL' } });
  await ask('exportScans', 400, { query: { chain: 'bnb' } });
  await ask('listScans', 400, { query: { chain: 'bnb' } });
  await ask('deleteScans', 200, { query: { before: '2025-01-01T00:00:00Z' } });
  await ask('deleteScans', 400, { query: { before: '2025-01-01T00:00:00Z', chain: 'bnb' } });
  const params = { scan_id };
  await ask('getScan', 200, { params });
  await ask('listCounterparties', 200, { params, query: { limit: '100' } });

  const saver = on(world, 'clean_saver');
  await ask('checkPresign', 200, { query: { chain: 'ethereum', to: thief.address } });
  await ask('checkPresign', 400, { query: { chain: 'ethereum', to: 'nobody' } });

  await ask('startScan', 400, { body: { address: 'nobody' } });
  const { job_id: single } = (await ask('startScan', 202, { body: { address: saver } })) as Started;
  await ask('listJobs', 200, { query: { limit: '20' } });
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

/** Deposits and withdrawals that are screened by their transaction. */
export async function transfers({ ask, until, world }: TourGuide): Promise<void> {
  const { txHash, to } = world.moves.ethereum.find(
    ({ kind, failed, from, to, amount }) => kind === 'native' && !failed && from !== to && Number(amount) > 0,
  )!;
  const deposit = { chain: 'ethereum', tx_hash: txHash, direction: 'deposit', asset: 'ETH', address: to };
  const named = { ...deposit, reference: 'deposit-1042', customer_ref: 'customer-17' };
  const { transfer } = (await ask('screenTransfer', 202, { body: named })) as { transfer: { id: string } };
  await ask('screenTransfer', 400, { body: { ...named, tx_hash: '0x12' } });
  const many = [named, { ...named, tx_hash: '0x12', reference: 'deposit-1043' }];
  await ask('screenTransfers', 202, { body: { transfers: many } });
  await ask('screenTransfers', 400, { body: { transfers: many.slice(1) } });
  const params = { id: transfer.id };
  await until('getTransfer', { params }, ({ state }: { state: string }) => state !== 'waiting');
  await ask('getTransfer', 200, { params });
  await ask('listTransfers', 200, { query: { customer_ref: 'customer-17' } });
  await ask('listTransfers', 400, { query: { chain: 'bnb' } });
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

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

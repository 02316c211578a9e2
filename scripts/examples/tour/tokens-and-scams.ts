import { on, type TourGuide } from './guide.ts';

const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const DATES = { start_date: '2026-08-10T00:00:00Z', end_date: '2026-10-31T00:00:00Z' };

export async function tokens({ ask, world }: TourGuide): Promise<void> {
  const query = { address: on(world, 'payroll', 'company'), token_contract: USDT, chain: 'ethereum', ...DATES };
  const late = { start_date: DATES.end_date, end_date: DATES.start_date };
  await ask('queryTransfers', 200, { body: query });
  await ask('queryTransfers', 400, { body: { ...query, ...late } });
  const sweep = { token_contract: USDT, chain: 'ethereum', ...DATES };
  await ask('sweepContract', 200, { body: sweep });
  await ask('sweepContract', 400, { body: { ...sweep, ...late } });
}

export async function scamDatabase({ ask, world }: TourGuide): Promise<void> {
  const address = on(world, 'scam', 'scammer');
  const { entry } = (await ask('lookUpScam', 200, { params: { address } })) as { entry: { id: string } };
  await ask('lookUpScam', 400, { params: { address: 'nobody' } });
  await ask('getScam', 200, { params: { scam_id: entry.id } });
  await ask('listScams', 200, { query: { limit: '2' } });
  await ask('countScams', 200);
  await ask('searchScams', 200, { query: { q: address.slice(0, 12) } });
  await ask('searchLabels', 200, { query: { q: 'northgate', limit: '2' } });
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
  await ask('listScamReports', 200);
}

import { on, type TourGuide } from './guide.ts';

export async function service({ ask }: TourGuide): Promise<void> {
  await ask('getLive', 200);
  await ask('getReady', 200);
  await ask('getHealth', 200);
  await ask('getMetrics', 200);
  await ask('listEventTypes', 200);
  await ask('getUsage', 200);
  await ask('getSources', 200);
  await ask('checkSources', 200);
}

export async function account({ ask, world }: TourGuide): Promise<void> {
  const { id } = (await ask('createApiKey', 201, { body: { name: 'laptop' } })) as { id: string };
  const narrow = { scopes: ['read', 'scan'], expires_at: '2126-01-31T00:00:00Z', allowed_ips: ['192.0.2.0/24'] };
  const { id: assistant } = (await ask('createApiKey', 201, { body: { name: 'assistant', ...narrow } })) as {
    id: string;
  };
  await ask('listApiKeys', 200);
  await ask('revokeApiKey', 200, { params: { id: assistant } });
  for (let i = 0; i < 3; i++) await ask('createApiKey', 201, { body: { name: 'tablet' } });
  await ask('createApiKey', 403, { body: { name: 'one too many' } });
  await ask('revokeApiKey', 200, { params: { id } });
  await ask('getApprovalSettings', 200);
  await ask('putApprovalSettings', 200, { body: { close: false } });
  await ask('listApprovals', 200);
  const nowhere = '00000000-0000-4000-8000-000000000000';
  await ask('askApproval', 404, { params: { case_id: nowhere }, body: { action: 'close' } });
  const decision = { decision: 'approved', reason: 'Agreed' };
  await ask('decideApproval', 403, { params: { id: nowhere }, body: decision });
  await ask('withdrawApproval', 404, { params: { id: nowhere } });
  await ask('getSession', 200);
  await ask('signOut', 404);
  const ana = { email: 'ana@desk.example', name: 'Ana', roles: ['analyst'] };
  const { id: person } = (await ask('invitePerson', 201, { body: ana })) as { id: string };
  await ask('invitePerson', 409, { body: ana });
  await ask('listPeople', 200);
  await ask('changePerson', 200, { params: { id: person }, body: { roles: ['reviewer'] } });
  await ask('removePerson', 200, { params: { id: person } });
  const trusted = { chain: 'ethereum', address: on(world, 'exchange_hot_wallet', 'exchange'), note: 'Our exchange' };
  await ask('putRiskSettings', 200, { body: { whitelist: [trusted], weights: { gambling_privacy: 0.5 } } });
  await ask('putRiskSettings', 400, { body: { whitelist: [{ address: 'nobody' }] } });
  await ask('getRiskSettings', 200);
  await ask('putRiskSettings', 200, { body: { whitelist: [], weights: {} } });
  const suspect = { address: on(world, 'exchange_hot_wallet', 'exchange'), chain: 'ethereum' };
  const said = {
    ...suspect,
    label: 'Desk of the exchange',
    category: 'exchange',
    reason: 'Said by its compliance team',
  };
  const { label } = (await ask('addOwnLabel', 201, { body: said })) as { label: { id: string } };
  await ask('addOwnLabel', 409, { body: said });
  await ask('addOwnLabel', 400, { body: { ...said, address: 'nobody' } });
  await ask('listOwnLabels', 200);
  await ask('listOwnLabels', 400, { query: { address: 'nobody' } });
  await ask('exportOwnLabels', 200);
  await ask('deleteOwnLabel', 200, { params: { id: label.id } });
  await ask('listAudit', 200, { query: { action: 'key_revoked', limit: '2' } });
  await ask('listAudit', 422, { query: { action: 'slept' } });
}

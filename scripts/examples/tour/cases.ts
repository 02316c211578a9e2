import { isOver, type Job, on, type TourGuide } from './guide.ts';

export async function cases({ ask, until, world }: TourGuide): Promise<string> {
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
  await ask('getCaseFunds', 200, { params });
  const query = { language: 'en' };
  const listed = (await ask('listFreezingRequests', 200, { params, query })) as { requests: { id: string }[] };
  const request_id = listed.requests[0]!.id;
  await ask('getFreezingRequest', 200, { params: { case_id, request_id }, query });
  const judgement = { address_id: address.id, detector_id: 'sanctions_indirect', disposition: 'reported' };
  await ask('setDisposition', 200, { params, body: { ...judgement, reason: 'Reported to the authority.' } });
  await ask('setDisposition', 400, { params, body: { ...judgement, detector_id: 'none', reason: 'None.' } });
  await ask('getCase', 200, { params });
  await ask('listCaseAddresses', 200, { params, query: { limit: '10' } });
  await ask('listCaseNotes', 200, { params, query: { limit: '10' } });
  await ask('listCases', 200, { query: { status: 'in_review' } });
  await ask('deleteCaseNote', 200, { params: { case_id, note_id: written.id } });
  await ask('exportCaseAsStix', 200, { params, query: { tlp: 'green' } });
  await ask('exportCaseAsMisp', 200, { params });
  await ask('exportCaseAsIvms101', 200, { params });
  await ask('exportCaseAsGoaml', 200, { params, query: { rentity_id: '71', indicator: 'ML001' } });
  const archive = (await ask('exportCaseArchive', 200, { params })) as Uint8Array;
  const { case: carried } = (await ask('importCase', 200, { file: archive })) as { case: { id: string } };
  await ask('importCase', 400, { file: archive.subarray(0, 100) });
  await ask('deleteCase', 200, { params: { case_id: carried.id } });
  await ask('getCaseReport', 200, { params, query: { language: 'en' } });

  const { case: other } = (await ask('createCase', 200, { body })) as { case: { id: string } };
  const { address: extra } = (await ask('addCaseAddress', 200, { params: { case_id: other.id }, body: subject })) as {
    address: { id: string };
  };
  await ask('removeCaseAddress', 200, { params: { case_id: other.id, address_id: extra.id } });
  const empty = { params: { case_id: other.id } };
  await ask('watchCase', 400, empty);
  await ask('exportCaseAsIvms101', 400, empty);
  await ask('exportCaseAsGoaml', 400, { ...empty, query: { rentity_id: '71', indicator: 'ML001' } });
  await ask('deleteCase', 200, { params: { case_id: other.id } });
  return case_id;
}

export async function reportPackage({ ask, until }: TourGuide, case_id: string): Promise<void> {
  const params = { case_id };
  const started = await ask('startReportPackage', 202, { params, body: { language: 'en', proofs: true } });
  const { generation_id } = started as { generation_id: string };
  await until<{ generations: Job[] }>('listReportPackages', { params }, ({ generations }) => generations.every(isOver));
  await ask('listReportPackages', 200, { params });
  const files = ['downloadEvidence', 'downloadDraft', 'downloadTransactions', 'downloadColumns', 'downloadManifest'];
  files.push('downloadPackageProofs', 'downloadVerifyPage', 'downloadPackage');
  for (const file of files) await ask(file, 200, { params: { case_id, generation_id } });
  // The demo asks no authority of time stamps.
  await ask('downloadTimestamp', 404, { params: { case_id, generation_id } });
}

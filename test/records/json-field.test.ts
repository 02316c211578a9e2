import { expect, it } from 'vitest';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { findScanFields, insertScan } from '../../src/records/scans/scans.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
/** With what looks in JSON like half a character, and is none. */
const TEXT = '日 "\n\\ \\ud800 😀';
const ATTRIBUTED = ['metadata', 'coverage', 'trace', 'attributed'];

onBothStores('fields of recorded scans', (open) => {
  it('are read as they were recorded, beside texts that no store reads, and are null where there are none', async () => {
    const records = await open();
    const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'free' }, NOW);
    const attributed = { received: 0.1, sent: null };
    const results: Record<string, object> = {
      known: {
        detections: [{ description: TEXT }],
        metadata: { asset: 'a\0', cut: 'b\\\ud83d\ud83d', coverage: { trace: { attributed } } },
      },
      none: { detections: [], metadata: { coverage: { trace: null } } },
      old: { detections: [] },
    };
    for (const [id, result] of Object.entries(results)) {
      await insertScan(records, {
        id,
        account_id: accountId,
        chain: 'ethereum',
        address: id,
        source: 'case',
        lang: 'en',
        risk_level: 'LOW',
        risk_score: 0,
        detection_count: 0,
        rule_set_version: 'test',
        result: JSON.stringify(result),
        created_at: NOW,
        units: 1,
      });
    }
    const read = async (path: string[]) => {
      const found = await findScanFields(records, accountId, Object.keys(results), path);
      return Object.fromEntries([...found].map(([id, field]) => [id, JSON.parse(field ?? 'null')]));
    };
    expect(await read(ATTRIBUTED)).toEqual({ known: attributed, none: null, old: null });
    expect(await read(['detections'])).toEqual({ known: [{ description: TEXT }], none: [], old: [] });
    expect(await findScanFields(records, 'another', ['known'], ATTRIBUTED)).toEqual(new Map());
  });
});

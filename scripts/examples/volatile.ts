import type { Example } from '../../src/http/document-routes.ts';

/** Most entries of a list that an example shows. */
const ENTRIES_MAX = 4;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** The reference of a freezing request, made of ids. */
const REFERENCE = /\b[0-9A-F]{8}-[0-9A-F]{8}\b/g;
const API_KEY = /tfk_\w{20,}/g;
/** What differs from run to run and is named by its field. */
const FIXED: Record<string, unknown> = {
  scan_duration_ms: 140,
  query_duration_ms: 12,
  latency_ms: 2,
  took_ms: 180,
  stored_bytes: 48_350,
  host: 'source.example',
  output_hash: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
  hash: '9a3f1c0be27d4a5f8c6d7e8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
  digest: '2e11e268bf9b2a71ba2c42984d3a4e65eb0c20486977584f09ee03e1b326acf5',
  prefix: 'tfk_Zp4x',
  secret: 'whsec_RVhBTVBMRQ==',
};

/** How live watch stands: the listener of the chain starts beside the calls. */
const LISTENING = {
  state: 'listening',
  since: '2026-11-20T10:30:10.000Z',
  last_block: 23_700_000,
  last_touch_at: null,
  reason: null,
};

/** Work that waits or runs ends beside the calls. */
const WORK = [
  {
    ...{ job_id: '00000000-0000-4000-8000-000000000001', type: 'batch_scan', status: 'running', case_id: null },
    ...{ total: 200, completed: 90, failed: 2, progress: 0.46 },
    ...{ created_at: '2026-11-20T10:02:00.000Z', started_at: '2026-11-20T10:02:10.000Z' },
  },
];

/**
 * The examples with everything replaced that differs from run to run: ids by their order of appearance, secrets and
 * durations by fixed ones. Long lists are cut.
 */
export function withoutVolatile(examples: Record<string, Example>, hosts: Record<string, string>) {
  const ids = new Map<string, string>();
  const cut = JSON.stringify(examples, (field, value) => {
    if (field === 'jobs' && Array.isArray(value)) return WORK;
    if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX);
    // What is watched is scanned and alerted beside the calls: whether a backtest finds its alert depends on the machine.
    if (field === 'dispositions') return {};
    if (field === 'live' && typeof value === 'object') return value && LISTENING;
    return field in FIXED && value !== null && typeof value !== 'object' ? FIXED[field] : value;
  });
  const named = Object.entries(hosts).reduce((text, [host, name]) => text.replaceAll(host, name), cut);
  const plain = named
    .replace(API_KEY, 'tfk_Zp4xEXAMPLE0000000000000000000000000')
    .replace(REFERENCE, '5145DDA9-431C8112')
    .replace(UUID, (id) => {
      if (id.startsWith('00000000')) return id;
      const number = String(ids.size + 1).padStart(12, '0');
      if (!ids.has(id)) ids.set(id, `1f0e2d3c-0000-4000-8000-${number}`);
      return ids.get(id)!;
    });
  return JSON.parse(plain) as Record<string, Example>;
}

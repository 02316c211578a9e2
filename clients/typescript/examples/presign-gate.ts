import { createTraceflow, type Schemas, type Traceflow } from '@traceflow-engine/client';

export interface Transaction {
  chain: Schemas['Chain'];
  from: string;
  to: string;
  /** In the smallest unit. */
  value: string;
  /** Calldata, 0x… */
  data?: string;
}

export interface Decision {
  action: 'sign' | 'ask' | 'refuse';
  reasons: string[];
}

/** Someone is waiting to sign; no verdict within it means that a person decides. */
const VERDICT_MS = 2_000;
const ACTIONS: Record<string, Decision['action']> = {
  ok: 'sign',
  caution: 'ask',
  danger: 'refuse',
};
const NO_VERDICT: Decision = { action: 'ask', reasons: ['No verdict: the screening service did not answer'] };

/** Asks for a verdict on each transaction before it is signed. Without a verdict nothing is signed unasked. */
export async function decide(traceflow: Traceflow, { chain, from, to, value, data }: Transaction): Promise<Decision> {
  const query = { chain, to, value, data, signer: from };
  const signal = AbortSignal.timeout(VERDICT_MS);
  const answer = await traceflow
    .GET('/api/v1/public/presign/check', { params: { query }, signal })
    .catch(() => undefined);
  if (!answer?.data) {
    // 400 and 422 are about this transaction: an address that the chain does not have. All else will pass.
    const detail = answer && [400, 422].includes(answer.response.status) && answer.error?.detail;
    return detail ? { action: 'refuse', reasons: [JSON.stringify(detail)] } : NO_VERDICT;
  }
  const { verdict, reasons } = answer.data;
  // A verdict of a later version is for a person.
  return { action: ACTIONS[verdict] ?? 'ask', reasons };
}

if (process.argv[1]?.endsWith('presign-gate.ts')) {
  const { TRACEFLOW_URL = 'http://127.0.0.1:8080', TRACEFLOW_KEY = '' } = process.env;
  const [to = '', value = '0'] = process.argv.slice(2);
  const traceflow = createTraceflow({ baseUrl: TRACEFLOW_URL, apiKey: TRACEFLOW_KEY });
  const from = '0x000000000000000000000000000000000000dEaD';
  console.log(await decide(traceflow, { chain: 'ethereum', from, to, value }));
}

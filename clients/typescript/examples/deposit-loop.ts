import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, createTraceflow, type Schemas, type Traceflow } from '@traceflow-engine/client';

/** A deposit as the exchange sees it on a chain, before it is credited. */
export interface Deposit {
  chain: Schemas['Chain'];
  txHash: string;
  /** The address of the exchange that it pays. */
  address: string;
  /** The exchange's own id of it, without names of people. */
  reference: string;
  customerRef?: string;
}

export interface Outcome {
  action: 'credit' | 'hold';
  reason: string;
  transfer: Schemas['Transfer'];
}

const POLL_MS = 1_000;
const CREDITED = ['LOW', 'MEDIUM'];

/** Screens a deposit: waits until its transaction is confirmed and its senders are scanned, and says what to do with it. */
export async function screenDeposit(traceflow: Traceflow, deposit: Deposit): Promise<Outcome> {
  const { chain, txHash: tx_hash, address, reference, customerRef: customer_ref } = deposit;
  const accepted = await answerOf(
    traceflow.POST('/api/v1/transfers', {
      // The same key when this is sent again: one screening, one scan.
      params: { header: { 'Idempotency-Key': `deposit-${reference}` } },
      body: { chain, tx_hash, direction: 'deposit', address, reference, customer_ref },
    }),
  );
  const path = { id: accepted.transfer.id };
  for (;;) {
    // A webhook for `scan.completed` with the reference saves the polling.
    const transfer = await answerOf(traceflow.GET('/api/v1/transfers/{id}', { params: { path } }));
    if (transfer.state !== 'waiting') return outcomeOf(transfer);
    await sleep(POLL_MS);
  }
}

/** Credits what is known to be harmless. Everything else, also what a later version may say, is for a person. */
function outcomeOf(transfer: Schemas['Transfer']): Outcome {
  const { state, reason, risk_level } = transfer;
  if (state === 'screened' && risk_level !== null && CREDITED.includes(risk_level)) {
    return { action: 'credit', reason: risk_level, transfer };
  }
  return { action: 'hold', reason: reason ?? risk_level ?? state, transfer };
}

/** Alerts about a deposit: a sender that a list names within 30 days raises one. */
export async function alertsOf(traceflow: Traceflow, reference: string): Promise<Schemas['QueuedAlert'][]> {
  const { alerts } = await answerOf(traceflow.GET('/api/v1/alerts', { params: { query: { reference } } }));
  return alerts;
}

if (process.argv[1]?.endsWith('deposit-loop.ts')) {
  const { TRACEFLOW_URL = 'http://127.0.0.1:8080', TRACEFLOW_KEY = '' } = process.env;
  const [txHash = '', address = '', reference = randomUUID()] = process.argv.slice(2);
  const traceflow = createTraceflow({ baseUrl: TRACEFLOW_URL, apiKey: TRACEFLOW_KEY });
  const { action, reason } = await screenDeposit(traceflow, { chain: 'ethereum', txHash, address, reference });
  console.log(action, reason);
  for (const { severity, title } of await alertsOf(traceflow, reference)) console.log(severity, title);
}

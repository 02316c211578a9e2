import { z } from 'zod';
import { SourceError } from '../../errors.ts';
import { askSource, type Endpoint, type SourceReply } from '../http.ts';
import type { RequestOptions } from '../port.ts';
import { checked, checkedEach, whole, wholeUpTo } from '../reply.ts';
import { dropsShape } from './asset.ts';
import { rippleTime, type XrpTransaction, xrpTransactionShape } from './transaction.ts';

/** Errors that rippled and Clio send while they are loaded or out of step; they pass. */
const BUSY = new Set([
  'slowDown',
  'tooBusy',
  'noCurrent',
  'noClosed',
  'noNetwork',
  'notReady',
  'notSynced',
  'jssNotReady',
]);
const PAGE_SIZE = 200;
/** Servers may ignore the limit asked for. */
const PAGE_ITEMS_MAX = 2_000;

const envelope = z.object({ result: z.looseObject({ error: z.string().optional() }) });
const marker = z.unknown();
const pageShape = z.object({
  transactions: z.array(z.unknown()),
  ledger_index_min: z.union([whole, z.literal(-1)]).optional(),
  marker: marker.optional(),
  validated: z.boolean().optional(),
});
const accountShape = z.object({
  account_data: z.looseObject({
    Balance: dropsShape,
    signer_lists: z.array(z.unknown()).optional(),
    AMMID: z.string().optional(),
    VaultID: z.string().optional(),
    LoanBrokerID: z.string().optional(),
  }),
  signer_lists: z.array(z.unknown()).optional(),
});
const ledgerShape = z.object({
  ledger_index: whole.optional(),
  ledger: z.object({ close_time: whole, ledger_index: whole.optional() }),
});
const upperHex = z
  .string()
  .regex(/^(?:[0-9A-Fa-f]{2})+$/)
  .toLowerCase();
const binaryLedgerShape = z.object({
  ledger_hash: upperHex,
  ledger: z.object({
    ledger_data: upperHex,
    transactions: z
      .array(z.object({ tx_blob: upperHex, meta: upperHex.optional(), meta_blob: upperHex.optional() }))
      .max(10_000),
  }),
});
/** Servers before 1.12 name no network. */
const serverShape = z.object({
  info: z.object({ network_id: whole.default(0), complete_ledgers: z.string().max(10_000) }),
});
const issuanceShape = z.object({
  node: z.object({ AssetScale: wholeUpTo(19).default(0), MPTokenMetadata: z.string().optional() }),
});

export interface XrpPage {
  transactions: XrpTransaction[];
  /** First ledger that the server searched. */
  firstLedger: number | null;
  /** Null at the end. */
  next: unknown;
}

/** Ledger indexes, inclusive; -1 leaves an end open. */
export interface LedgerRange {
  firstLedger?: number;
  lastLedger?: number;
  /** Oldest first. */
  forward?: boolean;
}

function complaintOf({ status, json }: SourceReply): string | null {
  const error = status === 200 ? envelope.safeParse(json).data?.result.error : undefined;
  return error !== undefined && BUSY.has(error) ? error : null;
}

export type XrpRpc = ReturnType<typeof xrpRpc>;

/** The handful of rippled methods that the adapter needs, over HTTP JSON-RPC, replies checked. */
export function xrpRpc(endpoint: Endpoint) {
  // Servers before 2.0 know only version 1; both shapes are read.
  let version: { api_version?: 2 } = { api_version: 2 };

  async function call(method: string, params: Record<string, unknown>, known: string[], options?: RequestOptions) {
    const ask = () => {
      const body = { method, params: [{ ...params, ...version }] };
      return askSource(endpoint, { body, complaint: complaintOf, ...options });
    };
    let reply = await ask();
    if (version.api_version && /"invalid_API_version"/.test(reply.excerpt)) {
      version = {};
      reply = await ask();
    }
    if (reply.status !== 200) throw new SourceError(endpoint.chain, `${method}: HTTP ${reply.status}`);
    const { result } = checked(endpoint, envelope, reply.json, method);
    if (result.error === undefined) return result;
    if (known.includes(result.error)) return null;
    throw new SourceError(endpoint.chain, `${method}: ${result.error.slice(0, 100)}`);
  }

  return {
    /** One page; an account that the ledger does not know has none. */
    async accountTransactions(
      account: string,
      marker: unknown,
      { firstLedger: first = -1, lastLedger = -1, forward = false }: LedgerRange,
      options?: RequestOptions,
    ): Promise<XrpPage> {
      const params = {
        account,
        ledger_index_min: first,
        ledger_index_max: lastLedger,
        limit: PAGE_SIZE,
        forward,
        binary: false,
        ...(marker === null ? {} : { marker }),
      };
      const result = await call('account_tx', params, ['actNotFound', 'lgrIdxsInvalid', 'lgrIdxMalformed'], options);
      // Only a range that begins or ends before all that the server holds is refused.
      if (result === null) {
        const bound = Math.max(first, lastLedger);
        return { transactions: [], firstLedger: bound < 0 ? null : bound + 1, next: null };
      }
      const page = checked(endpoint, pageShape, result, 'account_tx');
      const firstLedger =
        page.ledger_index_min === undefined || page.ledger_index_min < 0 ? null : page.ledger_index_min;
      // Some servers say once for all rows that they are validated.
      const rows = page.transactions.map((row) => ({ validated: page.validated, ...(row as object) }));
      const transactions = await checkedEach(endpoint, xrpTransactionShape, rows, 'account_tx', PAGE_ITEMS_MAX);
      return { transactions, firstLedger, next: page.marker ?? null };
    },

    /** Null for an account that is not funded (any more). */
    async account(account: string, options?: RequestOptions) {
      const params = { account, ledger_index: 'validated', signer_lists: true };
      const result = await call('account_info', params, ['actNotFound'], options);
      return result === null ? null : checked(endpoint, accountShape, result, 'account_info');
    },

    async transaction(hash: string, options?: RequestOptions): Promise<XrpTransaction | null> {
      const result = await call('tx', { transaction: hash, binary: false }, ['txnNotFound'], options);
      return result === null ? null : checked(endpoint, xrpTransactionShape, result, 'tx');
    },

    /** Null where the server does not hold the ledger. */
    async ledger(index: number | 'validated', options?: RequestOptions): Promise<{ index: number; at: number } | null> {
      const result = await call('ledger', { ledger_index: index }, ['lgrNotFound'], options);
      if (result === null) return null;
      const { ledger, ledger_index } = checked(endpoint, ledgerShape, result, 'ledger');
      const number = ledger_index ?? ledger.ledger_index;
      if (number === undefined) throw new SourceError(endpoint.chain, 'ledger: answer without an index');
      return { index: number, at: rippleTime(ledger.close_time) };
    },

    /** A ledger with its transactions, as bytes in hex of lower case. Null where the server does not hold it. */
    async wholeLedger(index: number, options?: RequestOptions) {
      const asked = { ledger_index: index, transactions: true, expand: true, binary: true };
      const result = await call('ledger', asked, ['lgrNotFound'], options);
      if (result === null) return null;
      const { ledger_hash, ledger } = checked(endpoint, binaryLedgerShape, result, 'ledger');
      const transactions = ledger.transactions.map(({ tx_blob: transaction, meta, meta_blob: metadata = meta }) => {
        if (metadata === undefined) throw new SourceError(endpoint.chain, 'ledger: a transaction without its metadata');
        return { transaction, metadata };
      });
      return { block_hash: ledger_hash, header: ledger.ledger_data, transactions };
    },

    /** The network of the server and the first ledger of the span that it holds. */
    async server(options?: RequestOptions): Promise<{ networkId: number; firstLedger: number | null }> {
      const result = await call('server_info', {}, [], options);
      const { info } = checked(endpoint, serverShape, result, 'server_info');
      const first = /^(\d{1,12})-/.exec(info.complete_ledgers)?.[1];
      return { networkId: info.network_id, firstLedger: first === undefined ? null : Number(first) };
    },

    /** Decimals and metadata of a multi-purpose token; null once its issuance is gone. */
    async issuance(id: string, options?: RequestOptions) {
      const result = await call(
        'ledger_entry',
        { mpt_issuance: id, ledger_index: 'validated' },
        ['entryNotFound'],
        options,
      );
      return result === null ? null : checked(endpoint, issuanceShape, result, 'ledger_entry').node;
    },
  };
}

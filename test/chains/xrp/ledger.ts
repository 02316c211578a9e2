import { createHash } from 'node:crypto';
import { base58CheckXrp } from '../../../src/domain/address/base58-check.ts';
import type { Upstream, UpstreamReply } from '../../contract/upstream.ts';

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();

/** A valid classic address made from a name. */
export function xrpAccount(name: string): string {
  return base58CheckXrp.encode(Uint8Array.of(0, ...sha256(Buffer.from(name)).subarray(0, 20)));
}

export function xrpHash(name: string): string {
  return sha256(Buffer.from(name)).toString('hex').toUpperCase();
}

/** 2023-11-14, in the ledger's own seconds. */
const BASE_DATE = 753_300_000;
export const atOf = (ledger: number) => (BASE_DATE + ledger * 4 + 946_684_800) * 1_000;

interface Entry {
  kind?: 'CreatedNode' | 'ModifiedNode' | 'DeletedNode';
  type?: string;
  before?: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** An entry keeps its index while its balance changes. */
function indexOf(type: string, { Account, LowLimit, HighLimit, ...other }: Record<string, unknown>): string {
  const named = Account ?? LowLimit ?? HighLimit;
  return xrpHash(JSON.stringify([type, Account, LowLimit, HighLimit, named ? null : other]));
}

/** A validated transaction in the shape of API v2. */
export function xrpRow(
  ledger: number,
  tx: Record<string, unknown> & { Account: string; TransactionType: string },
  entries: Entry[] = [],
  more: { result?: string; delivered?: unknown; name?: string } = {},
) {
  return {
    hash: xrpHash(more.name ?? `tx ${ledger}`),
    ledger_index: ledger,
    ledger_hash: xrpHash(`ledger ${ledger}`),
    validated: true,
    tx_json: { Fee: '12', Flags: 0, Sequence: ledger, date: BASE_DATE + ledger * 4, ...tx },
    meta: {
      AffectedNodes: entries.map(({ kind = 'ModifiedNode', type = 'AccountRoot', before, after }) => ({
        [kind]:
          kind === 'CreatedNode'
            ? { LedgerEntryType: type, LedgerIndex: indexOf(type, after), NewFields: after }
            : {
                LedgerEntryType: type,
                LedgerIndex: indexOf(type, after),
                FinalFields: after,
                PreviousFields: before,
              },
      })),
      TransactionIndex: 3,
      TransactionResult: more.result ?? 'tesSUCCESS',
      ...(more.delivered === undefined ? {} : { delivered_amount: more.delivered }),
    },
  };
}

export type XrpRow = ReturnType<typeof xrpRow>;

/** The same transaction as API v1 sends it in a list. */
function asV1(row: XrpRow) {
  const { hash, ledger_index, validated, meta, tx_json } = row;
  const { DeliverMax, ...tx } = tx_json as Record<string, unknown>;
  return { tx: { ...tx, ...(DeliverMax ? { Amount: DeliverMax } : {}), hash, ledger_index }, meta, validated };
}

export interface Ledger {
  rows: XrpRow[];
  accounts: Record<string, Record<string, unknown>>;
  v1?: boolean;
  firstLedger?: number;
  /** True where answers leave out the first ledger that the server holds. */
  saysNoFirst?: boolean;
  /** True where the rows of a list do not say of themselves that they are validated. */
  saysOnce?: boolean;
  /** Never moves the marker on. */
  stuck?: boolean;
  issuances?: Record<string, unknown>;
}

/** rippled's JSON-RPC over a few transactions, protocol-true: newest first, markers, errors in HTTP 200. */
export function rippled(ledger: Ledger): Upstream {
  const newest = [...ledger.rows].sort((a, b) => b.ledger_index - a.ledger_index);
  const latest = Math.max(0, ...newest.map((row) => row.ledger_index)) + 1;
  const answers: Record<string, (params: Record<string, unknown>) => unknown> = {
    account_tx: ({ account, limit, marker, ledger_index_min, ledger_index_max, forward }) => {
      const first = Math.max(Number(ledger_index_min), ledger.firstLedger ?? 32_570);
      const last = Number(ledger_index_max) < 0 ? latest : Number(ledger_index_max);
      const own = newest.filter(
        ({ ledger_index: index, ...row }) =>
          index >= first && index <= last && JSON.stringify(row).includes(String(account)),
      );
      if (forward) own.reverse();
      const start = marker && !ledger.stuck ? Number((marker as { seq: number }).seq) : 0;
      const page = own.slice(start, start + Number(limit));
      const end = start + page.length;
      return {
        account,
        ...(ledger.saysNoFirst ? {} : { ledger_index_min: first }),
        ledger_index_max: last,
        limit,
        transactions: (ledger.v1 ? page.map(asV1) : page).map((row) =>
          ledger.saysOnce ? { ...row, validated: undefined } : row,
        ),
        validated: true,
        ...(end < own.length ? { marker: { ledger: own[end]!.ledger_index, seq: end } } : {}),
      };
    },
    account_info: ({ account }) => {
      const known = ledger.accounts[String(account)];
      return known ? { account_data: { Account: account, ...known }, validated: true } : failure('actNotFound');
    },
    tx: ({ transaction }) => {
      const row = ledger.rows.find(({ hash }) => hash === transaction);
      if (!row) return failure('txnNotFound');
      if (!ledger.v1) return row;
      const { tx, meta, validated } = asV1(row);
      return { ...tx, meta, validated };
    },
    ledger: ({ ledger_index }) => {
      const index = ledger_index === 'validated' ? latest : Number(ledger_index);
      if (index < (ledger.firstLedger ?? 1)) return failure('lgrNotFound');
      return { ledger_index: index, ledger: { close_time: BASE_DATE + index * 4, ledger_index: String(index) } };
    },
    ledger_entry: ({ mpt_issuance }) => {
      const node = ledger.issuances?.[String(mpt_issuance)];
      return node ? { node } : failure('entryNotFound');
    },
  };
  return ({ body }): UpstreamReply => {
    const { method, params } = body as { method: string; params: Record<string, unknown>[] };
    const result = answers[method]?.(params[0] ?? {}) ?? failure('unknownCmd');
    return { json: { result: { status: 'success', ...(result as object) } } };
  };
}

function failure(error: string) {
  return { error, status: 'error' };
}

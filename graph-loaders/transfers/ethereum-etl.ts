import { canonicalAddress } from '../../src/domain/address/address.ts';
import { formatUnits } from '../../src/domain/amount.ts';
import { addToGroup } from '../../src/domain/group-by.ts';
import { assetName, verifiedToken } from '../../src/domain/tokens/token.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';
import { shown } from '../labels/label-row.ts';
import { readCsv } from '../reading/csv.ts';
import type { InputFile } from '../reading/input.ts';
import { hasEnding, type TransferLoader, type Work } from '../reading/loader.ts';
import { parseMoment } from '../reading/moments.ts';
import { tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { type EtlFile, etlKind, type KnownFacts, learnFacts } from './ethereum-etl-files.ts';
import { impossibility, transferOf } from './transfer-row.ts';

const CHAIN = 'ethereum';
/** As the chain's own adapter orders the logs of a transaction. */
const LOG_STEP = 1_000;
const RAW = /^\d{1,78}$/;

/**
 * What ethereum-etl exports of Ethereum: `transactions` and `token_transfers` as CSV. Token rows bear no time: it is
 * taken from the transactions or `blocks` of the same folder, decimals and symbols from its `tokens`. ERC-721 rows
 * look like ERC-20 rows there and are read as such.
 */
export const ethereumEtlLoader: TransferLoader = {
  kind: 'transfers',
  hasInternal: false,
  format: 'the transactions or token_transfers of ethereum-etl as CSV',
  accepts: hasEnding('.csv'),
  read,
};

async function* read(work: Work): AsyncGenerator<Transfer> {
  const { files, isFolder, signal } = work;
  const byKind = new Map<EtlFile, InputFile[]>();
  for (const file of files) {
    const kind = await etlKind(file, signal);
    if (kind !== null) addToGroup(byKind, kind, file);
  }
  if (!byKind.has('transactions') && !byKind.has('token_transfers')) {
    const place = isFolder ? 'the folder' : files[0]!.name;
    throw new WrongFormatError(`${place}: no transactions or token_transfers of ethereum-etl`);
  }
  const ownOf = (file: InputFile) => (isFolder ? tallyOf(work.tally, file.name) : work.tally);
  const facts: KnownFacts = { timeOf: new Map(), tokens: new Map() };
  for (const kind of ['blocks', 'tokens'] as const) {
    for (const file of byKind.get(kind) ?? []) await learnFacts(kind, file, facts, ownOf(file), signal);
  }
  for (const [kind, toTransfer] of [
    ['transactions', fromTransaction],
    ['token_transfers', fromTokenTransfer],
  ] as const) {
    for (const file of byKind.get(kind) ?? []) {
      const own = ownOf(file);
      for await (const { line, cells } of readCsv(file, [], own, signal)) {
        const transfer = toTransfer(cells, facts);
        const refusal = typeof transfer === 'string' ? transfer : impossibility(transfer);
        if (refusal !== null) own.skip(line, refusal);
        else yield transfer as Transfer;
      }
    }
  }
}

type Cells = Record<string, string>;

/** The transfer of a row, or the reason why there is none. */
function fromTransaction(cells: Cells, { timeOf }: KnownFacts): Transfer | string {
  const at = parseMoment(cells.block_timestamp ?? '') ?? timeOf.get(cells.block_number ?? '');
  if (at === undefined) return `block_timestamp is not a time: ${shown(cells.block_timestamp ?? '')}`;
  if (/^\d{1,15}$/.test(cells.block_number ?? '')) timeOf.set(cells.block_number!, at);
  const ends = endsOf({ ...cells, to_address: cells.to_address || cells.receipt_contract_address || '' });
  if (typeof ends === 'string') return ends;
  const txHash = canonicalTxHash(CHAIN, cells.hash ?? '');
  if (!txHash) return `no transaction hash: ${shown(cells.hash ?? '')}`;
  if (!RAW.test(cells.value ?? '')) return `value is not a whole number: ${shown(cells.value ?? '')}`;
  const position = /^\d{1,9}$/.test(cells.transaction_index ?? '') ? Number(cells.transaction_index) : null;
  const input = cells.input ?? '';
  return transferOf({
    chain: CHAIN,
    txHash,
    index: 'native',
    block: blockOf(cells),
    at,
    ...ends,
    asset: 'ETH',
    amount: formatUnits(BigInt(cells.value!), 18),
    usd: null,
    more: {
      blockHash: cells.block_hash || null,
      position,
      txSender: ends.from,
      fee: feeOf(cells),
      method: /^0x[0-9a-f]{8}/i.test(input) ? input.slice(0, 10).toLowerCase() : null,
      failed: cells.receipt_status === '0',
    },
  });
}

function fromTokenTransfer(cells: Cells, { timeOf, tokens }: KnownFacts): Transfer | string {
  const at = parseMoment(cells.block_timestamp ?? '') ?? timeOf.get(cells.block_number ?? '');
  if (at === undefined) {
    return `no time of block ${shown(cells.block_number ?? '')}: load it with its transactions or blocks, in one folder`;
  }
  const token = canonicalAddress(CHAIN, cells.token_address ?? '')?.address;
  if (!token) return `token_address is not an address: ${shown(cells.token_address ?? '')}`;
  const ends = endsOf(cells);
  if (typeof ends === 'string') return ends;
  const txHash = canonicalTxHash(CHAIN, cells.transaction_hash ?? '');
  if (!txHash) return `no transaction hash: ${shown(cells.transaction_hash ?? '')}`;
  if (!RAW.test(cells.value ?? '')) return `value is not a whole number: ${shown(cells.value ?? '')}`;
  if (!/^\d{1,9}$/.test(cells.log_index ?? '')) return `log_index is not a number: ${shown(cells.log_index ?? '')}`;
  const known = tokens.get(token);
  const decimals = verifiedToken(CHAIN, token)?.decimals ?? known?.decimals ?? 0;
  return transferOf({
    chain: CHAIN,
    txHash,
    index: `log:${cells.log_index}`,
    block: blockOf(cells),
    at,
    ...ends,
    asset: assetName(CHAIN, token, known?.symbol ?? ''),
    token,
    amount: formatUnits(BigInt(cells.value!), decimals),
    usd: null,
    more: { amountRaw: cells.value!, decimals, seq: 1 + Number(cells.log_index) * LOG_STEP },
  });
}

/** Gas used times price; null where the export was not joined with receipts. */
function feeOf(cells: Cells): string | null {
  const gas = cells.receipt_gas_used ?? '';
  const price = cells.receipt_effective_gas_price || cells.gas_price || '';
  return RAW.test(gas) && RAW.test(price) ? formatUnits(BigInt(gas) * BigInt(price), 18) : null;
}

function endsOf(cells: Cells): { from: string; to: string } | string {
  const from = canonicalAddress(CHAIN, cells.from_address ?? '')?.address;
  if (!from) return `from_address is not an address: ${shown(cells.from_address ?? '')}`;
  if (!cells.to_address) return 'no to_address: the transaction creates a contract';
  const to = canonicalAddress(CHAIN, cells.to_address)?.address;
  return to ? { from, to } : `to_address is not an address: ${shown(cells.to_address)}`;
}

function blockOf({ block_number = '' }: Cells): number | null {
  return /^\d{1,15}$/.test(block_number) ? Number(block_number) : null;
}

import { pathOrder } from '../../src/chains/evm/explorer/rows.ts';
import { internalSeq } from '../../src/chains/evm/format/transfer.ts';
import { canonicalAddress } from '../../src/domain/address/address.ts';
import { formatUnits } from '../../src/domain/amount.ts';
import { type EvmChain, NATIVE_COIN } from '../../src/domain/chain.ts';
import { COINBASE } from '../../src/domain/null-addresses.ts';
import { blockTransaction, unclePlaces } from '../../src/domain/transfers/arrival.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';
import { shown } from '../labels/label-row.ts';
import { smallNumber, wholeNumber } from '../reading/json.ts';
import { type KnownFacts, noTime, timeOfRow } from './ethereum-etl-files.ts';
import { transferOf } from './transfer-row.ts';

type Cells = Record<string, string>;

/** Coin of the block itself, which no transaction moved. */
const OF_BLOCK = ['reward', 'genesis', 'daofork'];
const OF_TRANSACTION = ['call', 'create', 'create2', 'suicide', 'selfdestruct'];
const PATH_MAX = 200;

/**
 * Reads the rows of `traces` in the order of the file. The outermost trace of a transaction is the transaction's own
 * payment: it is known where a file of the export lists the transactions of its block. What fails takes its inner moves
 * with it.
 */
export function traceReader(
  facts: KnownFacts,
): (cells: Cells) => { transfer: Transfer; isKnown?: boolean } | string | null {
  const { chain } = facts;
  const undone = { txHash: '', paths: new Set<string>() };
  const unclePlace = unclePlaces();
  return (cells) => {
    const kind = (cells.trace_type ?? '').toLowerCase();
    const txHash = canonicalTxHash(chain, cells.transaction_hash ?? '');
    const path = pathOf(cells.trace_address ?? '');
    if (path === null) return `trace_address is not a path: ${shown(cells.trace_address ?? '')}`;
    if (txHash !== null && undone.txHash !== txHash) Object.assign(undone, { txHash, paths: new Set() });
    if (hasFailed(cells)) undone.paths.add(path);
    const value = wholeNumber(cells.value);
    if (value === 0n || (value === null && !cells.value)) return null;
    if (value === null) return `value is not a whole number: ${shown(cells.value ?? '')}`;
    const at = timeOfRow(cells, facts.timeOf);
    if (at === undefined) return noTime(cells);
    const block = smallNumber(cells.block_number);
    const to = canonicalAddress(chain, cells.to_address ?? '')?.address;
    if (OF_BLOCK.includes(kind)) {
      const isUncle = cells.reward_type?.toLowerCase() === 'uncle';
      const index = kind === 'daofork' ? 'native' : isUncle ? unclePlace(block ?? 0, to ?? '') : kind;
      return ofBlock(cells, { chain, block, at, to, value, index });
    }
    if (!OF_TRANSACTION.includes(kind)) return `unknown trace_type: ${shown(cells.trace_type ?? '')}`;
    // Other calls lend their code: the coin stays where it is.
    if (kind === 'call' && !/^(?:call)?$/i.test(cells.call_type ?? '')) return null;
    const failed =
      (txHash !== null && facts.failed.has(txHash)) || framesOf(path).some((frame) => undone.paths.has(frame));
    if (!cells.to_address && failed) return null;
    if (txHash === null) return `no transaction hash: ${shown(cells.transaction_hash ?? '')}`;
    const from = canonicalAddress(chain, cells.from_address ?? '')?.address;
    if (!from) return `from_address is not an address: ${shown(cells.from_address ?? '')}`;
    if (!to) return `to_address is not an address: ${shown(cells.to_address ?? '')}`;
    const isOutermost = path === '';
    const transfer = transferOf({
      chain,
      txHash,
      index: isOutermost ? 'native' : `trace:${path}`,
      block,
      at,
      from,
      to,
      asset: NATIVE_COIN[chain].symbol,
      amount: formatUnits(value, 18),
      usd: null,
      more: {
        blockHash: cells.block_hash || null,
        position: smallNumber(cells.transaction_index),
        kind: isOutermost ? 'native' : 'internal',
        seq: isOutermost ? 0 : internalSeq(pathOrder(path)),
        txSender: isOutermost ? from : null,
        failed,
      },
    });
    return { transfer, isKnown: isOutermost && facts.listed.has(block ?? -1) && !facts.unread.has(txHash) };
  };
}

interface BlockMove {
  chain: EvmChain;
  block: number | null;
  at: number;
  to: string | undefined;
  value: bigint;
  index: string;
}

/** Rewards and first balances arrive without a payer; the fork of 2016 moved coin between addresses. */
function ofBlock(cells: Cells, { chain, block, at, to, value, index }: BlockMove): { transfer: Transfer } | string {
  if (block === null) return `block_number is not a number: ${shown(cells.block_number ?? '')}`;
  if (!to) return `to_address is not an address: ${shown(cells.to_address ?? '')}`;
  const from = cells.from_address ? canonicalAddress(chain, cells.from_address)?.address : COINBASE;
  if (!from) return `from_address is not an address: ${shown(cells.from_address ?? '')}`;
  const place = { txHash: blockTransaction(block), index, block, at, more: { blockHash: cells.block_hash || null } };
  const transfer = transferOf({
    ...place,
    chain,
    from,
    to,
    asset: NATIVE_COIN[chain].symbol,
    amount: formatUnits(value, 18),
    usd: null,
  });
  return { transfer };
}

function hasFailed({ status = '', error = '' }: Cells): boolean {
  return wholeNumber(status) === 0n || error !== '';
}

/** `0,1`, `[0, 1]` and `0_1` are the path `0_1`, nothing is the outermost call's; null for what is not a path. */
function pathOf(text: string): string | null {
  if (text.length > PATH_MAX) return null;
  const path = text.replace(/[[\]\s"]/g, '').replaceAll(',', '_');
  return /^(?:\d{1,9}(?:_\d{1,9})*)?$/.test(path) ? path : null;
}

/** The frame itself and all around it, up to the outermost: `0_1`, `0` and nothing. */
function framesOf(path: string): string[] {
  const steps = path === '' ? [] : path.split('_');
  return ['', ...steps.map((_, depth) => steps.slice(0, depth + 1).join('_'))];
}

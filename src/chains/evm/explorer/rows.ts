import { z } from 'zod';
import { askedTransfers } from '../../../domain/calldata/asked-transfers.ts';
import type { EvmChain } from '../../../domain/chain.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { SourceError } from '../../../errors.ts';
import { checkedEach } from '../../reply.ts';
import {
  addressField,
  bigDigits,
  digits,
  hashField,
  maybe,
  placeDigits,
  placeQuantity,
  rowTime,
  selectorOf,
  smallDigits,
  statedDecimals,
} from '../format/fields.ts';
import { createdAddress } from '../format/rlp.ts';
import {
  AMOUNT_NOT_STATED,
  type FoundMovement,
  internalSeq,
  logSeq,
  nativeMovement,
  type TxFacts,
} from '../format/transfer.ts';
import { arrivalRow } from './block-arrivals.ts';
import type { Explorer } from './explorer.ts';

/** The EVM allows 1,024 nested frames. */
const TRACE_ID_CHARACTERS_MAX = 8_192;

const flag = z.union([z.string(), z.number(), z.null()]).optional();
const shared = {
  blockNumber: smallDigits,
  timeStamp: rowTime,
  from: addressField,
  to: maybe(addressField),
  contractAddress: maybe(addressField),
  blockHash: maybe(hashField).optional(),
  transactionIndex: maybe(smallDigits).optional(),
  gasUsed: maybe(bigDigits).optional().catch(null),
  gasPrice: maybe(bigDigits).optional().catch(null),
  input: z.unknown().optional(),
  methodId: z.unknown().optional(),
};
const transactionRow = z.object({
  ...shared,
  hash: hashField,
  value: bigDigits,
  isError: flag,
  txreceipt_status: flag,
  nonce: maybe(smallDigits).optional(),
  L1FeesPaid: maybe(bigDigits).optional().catch(null),
});
const genesisRow = z.object({ to: addressField, value: bigDigits, blockNumber: smallDigits, timeStamp: rowTime });
const internalRow = z.object({
  ...shared,
  hash: hashField.optional(),
  transactionHash: hashField.optional(),
  value: bigDigits,
  type: z.string().nullish(),
  callType: z.string().nullish(),
  traceId: z.string().max(TRACE_ID_CHARACTERS_MAX).nullish(),
  index: maybe(placeDigits).optional(),
  isError: flag,
});
const tokenRow = z.object({
  ...shared,
  hash: hashField,
  to: addressField,
  contractAddress: addressField,
  value: maybe(bigDigits).optional(),
  tokenValue: maybe(bigDigits).optional(),
  tokenID: maybe(digits).optional(),
  tokenSymbol: z.unknown().optional(),
  tokenName: z.unknown().optional(),
  tokenDecimal: z.unknown().optional(),
  logIndex: maybe(z.union([placeDigits, placeQuantity])).optional(),
});

/** Genesis balances are listed as transactions without a hash. */
const isGenesis = (raw: unknown) => String((raw as { hash?: unknown } | null)?.hash).startsWith('GENESIS');

export async function transactionRows(explorer: Explorer, rows: unknown[]): Promise<FoundMovement[]> {
  const [listed, first] = [rows.filter((raw) => !isGenesis(raw)), rows.filter(isGenesis)];
  const read = await checkedEach(explorer.endpoint, transactionRow, listed, 'txlist');
  const balances = await checkedEach(explorer.endpoint, genesisRow, first, 'txlist');
  const given = balances.map(({ to, value: amountRaw, blockNumber: block, timeStamp: at }) =>
    arrivalRow({ to, amountRaw, block, at, index: 'genesis', seq: 0 }),
  );
  const sent = read.map((row): FoundMovement => {
    const failed = String(row.isError) === '1' || String(row.txreceipt_status) === '0';
    const to = row.to ?? row.contractAddress ?? createdBy(explorer, row.from, row.nonce);
    const fee = feeOf(explorer.chain, row);
    return {
      movement: nativeMovement(row.from, to, row.value, failed),
      facts: {
        ...factsOf(row, row.hash),
        sender: row.from,
        asked: askedTransfers(row.from, row.to, row.input),
        fee,
      },
      token: null,
    };
  });
  return [...given, ...sent];
}

/** Rollups whose transactions also pay for the chain below, which few lists state. */
const PAYS_BELOW: ReadonlySet<EvmChain> = new Set(['optimism', 'base']);

/** Returns the fee of a transaction in smallest units, of the parts that an explorer states; null where it lacks one. */
export function feeOf(
  chain: EvmChain,
  row: { gasUsed?: bigint | null; gasPrice?: bigint | null; L1FeesPaid?: bigint | null },
) {
  const { gasUsed, gasPrice, L1FeesPaid: below } = row;
  if (gasUsed == null || gasPrice == null) return null;
  if (below == null && gasPrice > 0n && PAYS_BELOW.has(chain)) return null;
  return gasUsed * gasPrice + (below ?? 0n);
}

/** Returns the address of the contract that a failed creation would have made. */
function createdBy(explorer: Explorer, from: string, nonce: number | null | undefined): string {
  if (nonce == null) throw new SourceError(explorer.chain, `${explorer.endpoint.name}: a transaction goes nowhere`);
  return createdAddress(from, nonce);
}

/** Inner moves with a value; a move is failed too when the frame around it is. */
export async function internalRows(explorer: Explorer, rows: unknown[], txHash?: string): Promise<FoundMovement[]> {
  const checkedRows = await checkedEach(explorer.endpoint, internalRow, rows, 'txlistinternal');
  const read = checkedRows.map((row) => {
    const hash = row.hash ?? row.transactionHash ?? txHash;
    if (hash === undefined || (txHash !== undefined && hash !== txHash)) {
      throw new SourceError(explorer.chain, `${explorer.endpoint.name}: an inner move of another transaction`);
    }
    return { ...row, hash, undone: String(row.isError) === '1' };
  });
  // All rows of a transaction come together: a page ends with its block.
  const undone = new Set(read.filter((row) => row.undone && row.traceId).map((row) => `${row.hash}:${row.traceId}`));
  return read.flatMap((row): FoundMovement[] => {
    const to = row.to ?? row.contractAddress;
    if (row.value === 0n || to === null || !moves(row)) return [];
    const path = row.traceId && /^\d{1,9}(?:_\d{1,9})*$/.test(row.traceId) ? row.traceId : null;
    const failed =
      row.undone || (undone.size > 0 && framesOf(path).some((frame) => undone.has(`${row.hash}:${frame}`)));
    const place = path ?? row.index ?? null;
    return [
      {
        movement: {
          index: place === null ? null : `trace:${place}`,
          seq: place === null ? null : internalSeq(path === null ? (row.index ?? 0) : pathOrder(path)),
          from: row.from,
          to,
          token: null,
          amountRaw: row.value,
          kind: 'internal',
          tokenId: null,
          assetType: null,
          failed,
        },
        facts: { ...factsOf(row, row.hash), method: null },
        token: null,
      },
    ];
  });
}

/** The frame itself and all frames around it: `0_1_2`, `0_1` and `0`. */
function framesOf(path: string | null): string[] {
  const steps = path?.split('_') ?? [];
  return steps.map((_, depth) => steps.slice(0, depth + 1).join('_'));
}

/** Blockscout lists the transaction's own call as number 0. */
function moves(row: z.output<typeof internalRow>): boolean {
  if (/delegate|static|callcode/i.test(`${row.type} ${row.callType}`)) return false;
  return row.traceId != null || row.index !== 0;
}

/** Depth-first order as one number: three levels of the path, ten bits each. */
export function pathOrder(path: string): number {
  const steps = path.split('_').map((step) => Math.min(Number(step), 1_023));
  return (steps[0] ?? 0) * 2 ** 20 + (steps[1] ?? 0) * 2 ** 10 + (steps[2] ?? 0);
}

/** The lists that hold collectibles of one standard. */
const STANDARDS: Record<string, Transfer['assetType']> = { tokennfttx: 'erc721', token1155tx: 'erc1155' };

/** Reads token rows. Rows without an amount are dropped, and the history names that as a reason for gaps. */
export async function tokenRows(
  explorer: Explorer,
  rows: unknown[],
  action: string,
  reasons: Set<string>,
): Promise<FoundMovement[]> {
  const read = await checkedEach(explorer.endpoint, tokenRow, rows, action);
  return read.flatMap((row): FoundMovement[] => {
    const nft = action !== 'tokentx' || row.tokenID != null;
    const amount = row.tokenValue ?? row.value ?? (nft ? 1n : null);
    if (amount === null) {
      reasons.add(AMOUNT_NOT_STATED);
      return [];
    }
    const fee = feeOf(explorer.chain, row);
    return [
      {
        movement: {
          index: row.logIndex == null ? null : `log:${row.logIndex}`,
          seq: row.logIndex == null ? null : logSeq(row.logIndex),
          from: row.from,
          to: row.to,
          token: row.contractAddress,
          // Some list collectibles of both standards as one; of a single piece some state no quantity, some 0.
          amountRaw: action === 'tokennfttx' ? row.tokenValue || 1n : amount,
          kind: nft ? 'nft' : 'token',
          tokenId: row.tokenID ?? null,
          assetType: amount > 1n && action === 'tokennfttx' && row.tokenValue ? 'erc1155' : (STANDARDS[action] ?? null),
          failed: false,
        },
        facts: { ...factsOf(row, row.hash), fee },
        token: {
          symbol: typeof row.tokenSymbol === 'string' ? row.tokenSymbol : '',
          decimals: decimalsIn(row),
        },
      },
    ];
  });
}

/** Returns the decimals of a row's token; null for the 0 that Etherscan writes where it knows neither name nor symbol. */
function decimalsIn({ tokenDecimal, tokenName, tokenSymbol }: z.output<typeof tokenRow>): number | null {
  const decimals = statedDecimals(tokenDecimal);
  return decimals === 0 && tokenName === '' && tokenSymbol === '' ? null : decimals;
}

function factsOf(row: z.output<z.ZodObject<typeof shared>>, txHash: string): TxFacts {
  return {
    txHash,
    block: row.blockNumber,
    blockHash: row.blockHash ?? null,
    position: row.transactionIndex ?? null,
    at: row.timeStamp,
    sender: null,
    method: selectorOf(row.methodId) ?? selectorOf(row.input),
    asked: null,
    fee: null,
  };
}

import { z } from 'zod';
import { COINBASE } from '../../../domain/null-addresses.ts';
import { blockTransaction, unclePlaces } from '../../../domain/transfers/arrival.ts';
import { SourceError } from '../../../errors.ts';
import type { RequestOptions } from '../../port.ts';
import { checked, checkedEach } from '../../reply.ts';
import { addressField, bigDigits, rowTime, smallDigits } from '../format/fields.ts';
import { type FoundMovement, nativeMovement } from '../format/transfer.ts';
import type { Explorer } from './explorer.ts';
import { listRows } from './list.ts';

export interface BlockArrivals {
  rows: FoundMovement[];
  /** Names of limits that left some out. */
  reasons: string[];
}

const GWEI = 10n ** 9n;
/** Rows of one page of mined blocks. */
const PAGE_ROWS = 1_000;

const withdrawalRow = z.object({
  withdrawalIndex: smallDigits,
  address: addressField,
  /** In billionths of the coin. */
  amount: bigDigits,
  blockNumber: smallDigits,
  timestamp: rowTime,
});
const shownWithdrawal = z.object({
  index: smallDigits,
  receiver: z.object({ hash: addressField }),
  /** Smallest units. */
  amount: bigDigits,
  block_number: smallDigits,
  timestamp: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
});
const shownPage = z.object({
  items: z.array(z.unknown()),
  next_page_params: z.record(z.string(), z.unknown()).nullish(),
});
const minedRow = z.object({ blockNumber: smallDigits, timeStamp: rowTime, blockReward: bigDigits });

/** Coin that a block gave to an address. */
interface BlockCoin {
  to: string;
  amountRaw: bigint;
  block: number;
  at: number;
}

interface PlacedCoin extends BlockCoin {
  /** Place among all that the block gave. */
  index: string;
  seq: number;
}

/** Makes the movement of coin that a block gave: no transaction moved it. */
export function arrivalRow({ to, amountRaw, block, at, index, seq }: PlacedCoin): FoundMovement {
  const facts = { txHash: blockTransaction(block), block, blockHash: null, position: null, at };
  const movement = { ...nativeMovement(COINBASE, to, amountRaw, false), index, seq };
  return { movement, facts: { ...facts, sender: null, method: null, fee: null, asked: null }, token: null };
}

/** Withdrawals of validators to an address. */
export async function validatorWithdrawals(
  explorer: Explorer,
  address: string,
  pageLimit: number,
  options?: RequestOptions,
): Promise<BlockArrivals> {
  if (explorer.style === 'blockscout') return shownWithdrawals(explorer, address, pageLimit, options);
  const action = 'txsBeaconWithdrawal';
  const read = async (rows: unknown[]) => {
    const checkedRows = await checkedEach(explorer.endpoint, withdrawalRow, rows, action);
    return checkedRows.map(({ address: to, amount, blockNumber, timestamp, withdrawalIndex }) =>
      withdrawalOf({ to, amountRaw: amount * GWEI, block: blockNumber, at: timestamp }, withdrawalIndex),
    );
  };
  return listRows(explorer, { action, address, pageLimit }, read, options);
}

function withdrawalOf(coin: BlockCoin, number: number): FoundMovement {
  return arrivalRow({ ...coin, index: `withdrawal:${number}`, seq: number });
}

async function shownWithdrawals(
  explorer: Explorer,
  address: string,
  pageLimit: number,
  options?: RequestOptions,
): Promise<BlockArrivals> {
  const rows: FoundMovement[] = [];
  let cursor: Record<string, string> = {};
  for (let count = 0; count < pageLimit; count++) {
    const reply = await explorer.askPath(`/v2/addresses/${address}/withdrawals`, cursor, options);
    if (reply.status !== 200) return { rows, reasons: ['unsupported'] };
    const { items, next_page_params: next } = checked(explorer.endpoint, shownPage, reply.json, 'the withdrawals');
    for (const item of items) {
      const read = checked(explorer.endpoint, shownWithdrawal, item, 'a withdrawal');
      const { receiver, amount, block_number: block, timestamp: at, index } = read;
      rows.push(withdrawalOf({ to: receiver.hash, amountRaw: amount, block, at }, index));
    }
    if (!next) return { rows, reasons: [] };
    const echoed = Object.fromEntries(
      Object.entries(next).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
    );
    if (JSON.stringify(echoed) === JSON.stringify(cursor))
      throw new SourceError(explorer.chain, `${explorer.endpoint.name}: the same page came again`);
    cursor = echoed;
  }
  return { rows, reasons: ['page_limit'] };
}

/** Reads rewards and fees of blocks that an address mined, uncles included. */
export async function minedBlocks(
  explorer: Explorer,
  address: string,
  pageLimit: number,
  options?: RequestOptions,
): Promise<BlockArrivals> {
  const rows: FoundMovement[] = [];
  const unclePlace = unclePlaces();
  for (const blocktype of ['blocks', 'uncles']) {
    for (let page = 1; ; page++) {
      if (page > pageLimit) return { rows, reasons: ['page_limit'] };
      const asked = { module: 'account', action: 'getminedblocks', address, blocktype, page, offset: PAGE_ROWS };
      const outcome = await explorer.ask(asked, options);
      if (!('rows' in outcome)) return { rows, reasons: ['unsupported'] };
      const mined = await checkedEach(explorer.endpoint, minedRow, outcome.rows, 'getminedblocks');
      for (const { blockNumber, timeStamp, blockReward } of mined) {
        if (blockReward === 0n) continue;
        const index = blocktype === 'blocks' ? 'reward' : unclePlace(blockNumber, address);
        const coin = { to: address, amountRaw: blockReward, block: blockNumber, at: timeStamp };
        rows.push(arrivalRow({ ...coin, index, seq: 0 }));
      }
      if (mined.length < PAGE_ROWS) break;
    }
    // Uncles are rarer than blocks: who mined no block, mined none of them either.
    if (rows.length === 0) break;
  }
  return { rows, reasons: [] };
}

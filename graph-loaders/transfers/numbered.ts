import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { numberEquals } from '../../src/domain/transfers/transfer-id.ts';

/** A transfer of a file's row. */
export interface RowTransfer {
  transfer: Transfer;
  /** Another file of the export lists it. */
  isKnown?: boolean;
  /** Its file gives it a place of its own. */
  isPlaced?: boolean;
  /** Tells the operator what to know of it. */
  note?: string;
}

/** Rows of one transaction that stand together; longer runs are cut. */
const GROUP_MAX = 50_000;

/** Numbers equal transfers of a transaction, as the chain's own adapter does; those that another file lists only count. */
export async function* numbered(rows: AsyncIterable<RowTransfer>): AsyncGenerator<Transfer> {
  let group: RowTransfer[] = [];
  function* flush() {
    numberEquals(group.flatMap(({ transfer, isPlaced }) => (isPlaced ? [] : [transfer])));
    for (const { transfer, isKnown } of group) if (!isKnown) yield transfer;
    group = [];
  }
  for await (const row of rows) {
    const isOther = group[0] !== undefined && group[0].transfer.txHash !== row.transfer.txHash;
    if (isOther || group.length === GROUP_MAX) yield* flush();
    group.push(row);
  }
  yield* flush();
}

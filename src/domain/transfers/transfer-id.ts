import { hash } from 'node:crypto';
import { addToGroup } from '../group-by.ts';

/** The fields of a transfer that every reading of it states alike. */
interface TransferContent {
  chain: string;
  txHash: string;
  token: string | null;
  tokenId: string | null;
  from: string;
  to: string;
  amountRaw: string | null;
  amount: string;
  failed: boolean;
}

type NumberedTransfer = TransferContent & { id: string; seq: number | null };

const ID_BYTES = 16;

/** Id of a transfer: a digest of its content and its number among equals of its transaction, 22 characters of base64url. */
export function transferId(content: TransferContent, ordinal = 0): string {
  const text = `${textOf(content)}\n${ordinal}`;
  return hash('sha256', text, 'buffer').toString('base64url', 0, ID_BYTES);
}

function textOf({ chain, txHash, token, tokenId, from, to, amountRaw, amount, failed }: TransferContent): string {
  const parts = [chain, txHash, token ?? '', tokenId ?? '', from, to, amountRaw ?? `=${amount}`, failed ? 1 : 0];
  return parts.join('\n');
}

/** Most numbers looked for beyond those that a table's own equals can have, since its first rows may be missing. */
const SPARE = { row: 1_000, table: 8_000 };

/** Finds the numbers with which the ids of a table's transfers were made, in a time that grows with its rows alone. */
export class EqualNumbers {
  readonly #counts = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  #spare = SPARE.table;

  /** Takes in each transfer of the table, before the first is asked for. */
  add(content: TransferContent): void {
    this.#next(content, textOf(content));
  }

  /** Returns the number that the transfer's id was made with; null for an id of another origin. */
  numberOf(transfer: NumberedTransfer): number | null {
    const text = textOf(transfer);
    for (let tries = 0; tries < SPARE.row && this.#spare > 0 && !this.#numbers.has(transfer.id); tries++) {
      this.#spare -= 1;
      this.#next(transfer, text);
    }
    return this.#numbers.get(transfer.id) ?? null;
  }

  #next(content: TransferContent, text: string): void {
    const number = this.#counts.get(text) ?? 0;
    this.#counts.set(text, number + 1);
    this.#numbers.set(transferId(content, number), number);
  }
}

/**
 * Gives transfers of equal content their numbers: by place, those without one in the order of the list. Each transfer
 * stands in the list once, and all equals of a transaction stand in it.
 */
export function numberEquals(transfers: readonly NumberedTransfer[]): void {
  const known = new Map<string, NumberedTransfer>();
  const equals = new Map<string, NumberedTransfer[]>();
  for (const transfer of transfers) {
    const first = known.get(transfer.id);
    if (!first) known.set(transfer.id, transfer);
    else {
      if (!equals.has(transfer.id)) equals.set(transfer.id, [first]);
      addToGroup(equals, transfer.id, transfer);
    }
  }
  for (const group of equals.values()) {
    const inOrder = group.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    for (const [ordinal, transfer] of inOrder.entries()) if (ordinal > 0) transfer.id = transferId(transfer, ordinal);
  }
}

/** Kind of a place in a transaction: `log` of `log:12`, `native`; empty for the plain number of a file, null without one. */
export function placeKind(index: string | null): string | null {
  if (index === null) return null;
  const colon = index.indexOf(':');
  if (colon !== -1) return index.slice(0, colon);
  return /^\d+$/.test(index) ? '' : index;
}

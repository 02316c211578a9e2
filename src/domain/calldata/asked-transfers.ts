import type { Transfer } from '../transfers/transfer.ts';

/** One transfer for which a call asks; addresses as 40 hex digits. */
interface AskedMove {
  /** Null: the caller's own. */
  from: string | null;
  to: string;
  /** An amount in smallest units, or the id of a collectible. */
  value: bigint;
}

/** The transfers for which the signer of a transaction asked the contract that he called. */
export interface AskedTransfers {
  signer: string;
  contract: string;
  moves: readonly AskedMove[];
}

const WORD = 64;
const BATCH_MAX = 256;

/**
 * Reads what a call asks its contract to transfer, by the standard calls of tokens and collectibles; none for any other call.
 * Addresses as the chain's source writes them.
 */
export function askedTransfers(signer: string, contract: string | null, input: unknown): AskedTransfers | null {
  if (contract === null || typeof input !== 'string') return null;
  const data = input.replace(/^0x/i, '').toLowerCase();
  const word = (place: number) => data.slice(8 + place * WORD, 8 + (place + 1) * WORD);
  const isWord = (place: number) => /^[0-9a-f]{64}$/.test(word(place));
  const addressAt = (place: number) => word(place).slice(24);
  const valueAt = (place: number) => (isWord(place) ? BigInt(`0x${word(place)}`) : -1n);
  const asked = (moves: AskedMove[]) => ({ signer, contract, moves: moves.filter(({ value }) => value >= 0n) });
  switch (data.slice(0, 8)) {
    // transfer(to, amount or id)
    case 'a9059cbb':
      return asked([{ from: null, to: addressAt(0), value: valueAt(1) }]);
    // transferFrom, safeTransferFrom of ERC-721 and ERC-1155: (from, to, amount or id, …)
    case '23b872dd':
    case '42842e0e':
    case 'b88d4fde':
    case 'f242432a':
      return asked([{ from: addressAt(0), to: addressAt(1), value: valueAt(2) }]);
    // safeBatchTransferFrom(from, to, ids, …)
    case '2eb2c2d6': {
      const start = Number(valueAt(2)) / 32;
      const length = Number.isInteger(start) && start >= 0 ? Math.min(BATCH_MAX, Number(valueAt(start))) : 0;
      const ids = Array.from({ length: Math.max(0, length) }, (_, i) => valueAt(start + 1 + i));
      return asked(ids.map((value) => ({ from: addressAt(0), to: addressAt(1), value })));
    }
    default:
      return asked([]);
  }
}

/**
 * True where the signer moved what was his own by asking the token's contract for this transfer. A contract may keep a fee, and
 * report less than was asked for.
 */
export function isAskedFor(
  asked: AskedTransfers,
  moved: Pick<Transfer, 'token' | 'from' | 'to' | 'amountRaw' | 'tokenId'>,
  hexOf: (address: string) => string,
): boolean {
  const { token, from, to, amountRaw, tokenId } = moved;
  if (token !== asked.contract || from !== asked.signer) return false;
  return asked.moves.some(
    (move) =>
      (move.from ?? hexOf(from)) === hexOf(from) &&
      move.to === hexOf(to) &&
      (tokenId === null ? BigInt(amountRaw ?? -1) <= move.value : BigInt(tokenId) === move.value),
  );
}

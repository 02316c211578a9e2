import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
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
  const { chain, txHash, token, tokenId, from, to, amountRaw, amount, failed } = content;
  const parts = [
    chain,
    txHash,
    token ?? '',
    tokenId ?? '',
    from,
    to,
    amountRaw ?? `=${amount}`,
    failed ? 1 : 0,
    ordinal,
  ];
  return Buffer.from(sha256(utf8ToBytes(parts.join('\n'))).subarray(0, ID_BYTES)).toString('base64url');
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

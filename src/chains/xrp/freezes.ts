import { z } from 'zod';
import { type FrozenToken, freezingIssuer } from '../../domain/tokens/issuer-freeze.ts';
import { issuedShape, readAmount } from './asset.ts';
import { bodyOf } from './balances.ts';
import type { XrpTransaction } from './transaction.ts';

/** An account's trust line with the issuer of a known token, as a transaction left it: frozen or not. */
export interface LineState {
  token: string;
  isFrozen: boolean;
  at: number | null;
  block: number | null;
  position: number | null;
}

/** Flags of a trust line: the account of its low, or high, end froze it, or froze it deeply. */
const FROZEN_BY = { low: 0x0040_0000 | 0x0200_0000, high: 0x0080_0000 | 0x0400_0000 } as const;

const lineShape = z.object({ Flags: z.number(), LowLimit: issuedShape, HighLimit: issuedShape });

/** Reads the trust lines of an account with issuers of known tokens, as a transaction left them. */
export function linesAfter({ at, block, meta }: XrpTransaction, account: string): LineState[] {
  return (meta?.AffectedNodes ?? []).flatMap((node): LineState[] => {
    const { LedgerEntryType, FinalFields, NewFields } = bodyOf(node);
    if (LedgerEntryType !== 'RippleState') return [];
    const read = lineShape.safeParse(FinalFields ?? NewFields);
    if (!read.success) return [];
    const { Flags, LowLimit: low, HighLimit: high } = read.data;
    const [side, issuer] = low.issuer === account ? (['high', high] as const) : (['low', low] as const);
    if (issuer.issuer === account || ![low.issuer, high.issuer].includes(account)) return [];
    // The limit of the holder names the currency too, but its own account in place of the issuer.
    const { token } = readAmount(issuer);
    if (token === null || !freezingIssuer('xrp', token)) return [];
    const isFrozen = !('DeletedNode' in node) && (Flags & FROZEN_BY[side]) !== 0;
    return [{ token, isFrozen, at, block, position: meta?.TransactionIndex ?? null }];
  });
}

/** Returns the known tokens that their issuers keep frozen, since the first transaction after which they stayed so. */
export function frozenBy(lines: readonly LineState[]): FrozenToken[] {
  const inOrder = lines.toSorted((a, b) => (a.block ?? 0) - (b.block ?? 0) || (a.position ?? 0) - (b.position ?? 0));
  const frozen = new Map<string, FrozenToken>();
  for (const { token, isFrozen, at } of inOrder) {
    if (!isFrozen) frozen.delete(token);
    else if (!frozen.has(token)) frozen.set(token, { token, since: at });
  }
  return [...frozen.values()];
}

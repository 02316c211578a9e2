import type { GraphContext } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { readRecipients } from '../../graph/queries/presign.ts';
import type { Mimicry } from '../../risk/assessment.ts';
import { baitsSent, mostAlike } from '../../risk/ledger/baits.ts';
import { PRESIGN, RULES } from '../../risk/rules.ts';
import { nullOnTimeout } from '../deadline.ts';

/** Of the parties that an address baits, so many are looked at, the first ones. */
const VICTIMS_MAX = 20;
const TIMEOUT_MS = 1_000;

/**
 * Whom an address imitates: a party that gets worthless transfers from it, or in whose name some are made to it, paid
 * somebody whose address looks alike. It uses only what the graph knows of those parties. Throws GraphError.
 */
export async function findMimicry(
  ctx: GraphContext,
  chain: Chain,
  address: string,
  transfers: readonly Transfer[],
): Promise<Mimicry[]> {
  const found: Mimicry[] = [];
  const victims = baitsSent(address, transfers);
  for (const { victim, kind, baits } of victims.slice(0, VICTIMS_MAX)) {
    const query = {
      chain,
      signer: victim,
      usdMin: RULES.address_poisoning.genuine_from_usd,
      recipientsMax: PRESIGN.signer_recipients_max,
    };
    const paid = (await readRecipients(ctx.graph, query, TIMEOUT_MS).catch(nullOnTimeout)) ?? [];
    // Who fell for it paid the address itself, too.
    const others = paid.map((recipient) => recipient.address).filter((paidTo) => paidTo !== address);
    const alike = mostAlike(chain, address, others, others.length * victims.length);
    if (alike !== null) found.push({ victim, kind, baits, ...alike });
  }
  return found;
}

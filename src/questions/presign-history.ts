import type { Context } from '../context.ts';
import type { Chain } from '../domain/chain.ts';
import { GraphError } from '../errors.ts';
import { isInGraph, readAlikeRecipients } from '../graph/presign.ts';
import { variablePart } from '../risk/lookalike.ts';
import type { PresignCase } from '../risk/presign.ts';
import { comparedOf, findLookalikes, type Lookalike } from '../risk/presign-lookalike.ts';
import { PRESIGN, RULES } from '../risk/rules.ts';

/** Who waits to sign waits for this. */
const TIMEOUT_MS = 1_000;

const SEEN_MAX = 50_000;

/** Whether the graph knows an address; null where it cannot be read. The graph forgets none, so that a yes is kept. */
export function openSeen(ctx: Context): (chain: Chain, address: string) => Promise<boolean | null> {
  const known = new Set<string>();
  return async (chain, address) => {
    const key = `${chain} ${address}`;
    if (known.has(key)) return true;
    const seen = await orNull(ctx, isInGraph(ctx.graph, chain, address, TIMEOUT_MS));
    if (seen) known.add(key);
    if (known.size > SEEN_MAX) known.delete(known.values().next().value!);
    return seen;
  };
}

/** Parties that look like the signer or like somebody whom the signer paid before; null where the graph cannot be read. */
export async function findSignerLookalikes(
  ctx: Context,
  known: Pick<PresignCase, 'chain' | 'to' | 'spender' | 'signer' | 'calldata'>,
): Promise<Lookalike[] | null> {
  const { chain, signer } = known;
  const compared = comparedOf(known);
  if (signer === null || compared.length === 0) return [];
  const tail = RULES.address_poisoning.match_characters;
  const query = {
    chain,
    signer,
    compared,
    head: headLength(chain, compared[0]!) + tail,
    tail,
    usdMin: RULES.address_poisoning.genuine_from_usd,
    recipientsMax: PRESIGN.signer_recipients_max,
  };
  const earlier = await orNull(ctx, readAlikeRecipients(ctx.graph, query, TIMEOUT_MS));
  return earlier && findLookalikes(chain, compared, [...earlier, { address: signer, lastAt: null, txHash: null }]);
}

/** What all addresses of the chain begin with; Bitcoin's forms differ, so that its shortest counts. */
function headLength(chain: Chain, address: string): number {
  return chain === 'bitcoin' ? 1 : address.length - variablePart(chain, address).length;
}

/** Whoever waits to sign gets a verdict that says what is missing, not an error. */
async function orNull<T>(ctx: Context, read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (!(error instanceof GraphError)) throw error;
    ctx.log.warn({ err: error }, 'presign answered without the graph');
    return null;
  });
}

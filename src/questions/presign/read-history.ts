import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { GraphError } from '../../errors.ts';
import { addressKey } from '../../graph/address-key.ts';
import { findKnown, readRecipients } from '../../graph/queries/presign.ts';
import { variablePart } from '../../risk/poisoning/lookalike.ts';
import type { EarlierRecipient, Lookalike, PresignCase } from '../../risk/presign/case.ts';
import { comparedOf, findLookalikes } from '../../risk/presign/lookalike.ts';
import { PRESIGN, RULES } from '../../risk/rules.ts';

/** Who waits to sign waits for this. */
const TIMEOUT_MS = 1_000;

const SEEN_MAX = 50_000;
const UNSEEN_MS = 10_000;

const REMEMBERED_MS = 5_000;
/** Over all signers. */
const REMEMBERED_RECIPIENTS_MAX = 100_000;

/**
 * Whether the graph knows an address; null where it cannot be read. The graph forgets none, so that a yes is kept;
 * a no is kept for seconds, since it only makes an answer less sure. What is asked in one turn of the event loop becomes
 * one read.
 */
export function openSeen(ctx: Context): (chain: Chain, address: string) => Promise<boolean | null> {
  const known = new Map<string, number>();
  let turn: { keys: Set<string>; seen: Promise<Set<string> | null> } | null = null;

  const lookUp = () => {
    const keys = new Set<string>();
    const seen = endOfTurn().then(() => {
      turn = null;
      return orNull(ctx, findKnown(ctx.graph, [...keys], TIMEOUT_MS));
    });
    return { keys, seen };
  };

  return async (chain, address) => {
    const key = addressKey(chain, address);
    const until = known.get(key);
    if (until !== undefined && ctx.now() < until) return until === Number.POSITIVE_INFINITY;
    turn ??= lookUp();
    turn.keys.add(key);
    const seen = (await turn.seen)?.has(key) ?? null;
    if (seen !== null) known.set(key, seen ? Number.POSITIVE_INFINITY : ctx.now() + UNSEEN_MS);
    if (known.size > SEEN_MAX) known.delete(known.keys().next().value!);
    return seen;
  };
}

/** By the ends that an address must share to be taken for another. */
type Recipients = Map<string, EarlierRecipient[]>;

/**
 * Finds parties that look like the signer or like somebody whom the signer paid before; null where the graph cannot
 * be read. A signer's recipients are remembered for seconds: a payment takes longer to reach the graph, by way of a
 * block and a scan, so that none is missed that would otherwise have been there.
 */
export function openLookalikes(
  ctx: Context,
): (known: Pick<PresignCase, 'chain' | 'to' | 'spender' | 'signer' | 'calldata'>) => Promise<Lookalike[] | null> {
  const remembered = new Map<string, { recipients: Recipients; count: number; until: number }>();
  let held = 0;

  const forget = (key: string) => {
    held -= remembered.get(key)?.count ?? 0;
    remembered.delete(key);
  };

  const recipientsOf = async (chain: Chain, signer: string): Promise<Recipients | null> => {
    const key = `${chain} ${signer}`;
    const kept = remembered.get(key);
    if (kept && ctx.now() < kept.until) return kept.recipients;
    const usdMin = RULES.address_poisoning.genuine_from_usd;
    const query = { chain, signer, usdMin, recipientsMax: PRESIGN.signer_recipients_max };
    const rows = await orNull(ctx, readRecipients(ctx.graph, query, TIMEOUT_MS));
    if (rows === null) return null;
    const recipients = byEnds(chain, rows);
    forget(key);
    remembered.set(key, { recipients, count: rows.length, until: ctx.now() + REMEMBERED_MS });
    held += rows.length;
    while (held > REMEMBERED_RECIPIENTS_MAX || remembered.size > SEEN_MAX) forget(remembered.keys().next().value!);
    return recipients;
  };

  return async (known) => {
    const { chain, signer } = known;
    const compared = comparedOf(known);
    if (signer === null || compared.length === 0) return [];
    const recipients = await recipientsOf(chain, signer);
    if (recipients === null) return null;
    const alike = compared.flatMap((address) => recipients.get(endsOf(chain, address)) ?? []);
    return findLookalikes(chain, compared, [...alike, { address: signer, lastAt: null, txHash: null }]);
  };
}

function byEnds(chain: Chain, rows: readonly EarlierRecipient[]): Recipients {
  const recipients: Recipients = new Map();
  for (const row of rows) {
    const ends = endsOf(chain, row.address);
    const same = recipients.get(ends);
    if (same) same.push(row);
    else recipients.set(ends, [row]);
  }
  return recipients;
}

/** What two addresses share when a person may take them for each other; Bitcoin's forms begin differently. */
function endsOf(chain: Chain, address: string): string {
  const tail = RULES.address_poisoning.match_characters;
  const variable = variablePart(chain, address);
  return variable.slice(0, tail) + variable.slice(-tail);
}

/** Whoever waits to sign gets a verdict that says what is missing, not an error. */
async function orNull<T>(ctx: Context, read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (!(error instanceof GraphError)) throw error;
    ctx.log.warn({ err: error }, 'presign answered without the graph');
    return null;
  });
}

import type { Chain } from '../../domain/chain.ts';
import { dayOf } from '../../domain/time.ts';
import { mostAlike, sharedEnds, variablePart } from '../ledger/poisoning.ts';
import { PRESIGN, RULES } from '../rules.ts';
import type { EarlierRecipient, Lookalike, PresignFinding, PresignTransaction, Reason } from './case.ts';

/** Addresses that a person might take for another: who gets assets, a grant, or control; at most 64. */
export function comparedOf(known: PresignTransaction): string[] {
  const compared = [known.to, known.spender].filter((address) => address !== null);
  for (const action of known.calldata?.actions ?? []) {
    if (action.kind === 'move' || action.kind === 'control') compared.push(action.to);
    if (action.kind === 'grant') compared.push(action.spender);
  }
  return [...new Set(compared)].filter((address) => address !== known.signer).slice(0, PRESIGN.compared_max);
}

/**
 * Those of `compared` that look like an earlier recipient, and not by chance among so many pairs; an address that was
 * paid before is not a lookalike.
 */
export function findLookalikes(
  chain: Chain,
  compared: readonly string[],
  earlier: readonly EarlierRecipient[],
  pairs: number,
): { address: string; genuine: EarlierRecipient }[] {
  const paid = new Map(earlier.map((one) => [one.address, one]));
  return compared.flatMap((address) => {
    const alike = paid.has(address) ? null : mostAlike(chain, address, [...paid.keys()], pairs);
    const isSure = alike !== null && alike.chance < RULES.address_poisoning.high_chance;
    return isSure ? [{ address, genuine: paid.get(alike.genuine)! }] : [];
  });
}

/** Shows both addresses whole, and the characters in which they differ. */
export function lookalikeFinding(chain: Chain, { address, genuine }: Lookalike): PresignFinding {
  const { prefix, suffix } = sharedEnds(chain, address, genuine.address);
  const middle = (whole: string) => {
    const variable = variablePart(chain, whole);
    return JSON.stringify(variable.slice(prefix, variable.length - suffix));
  };
  const pair = {
    address,
    genuine: genuine.address,
    last: genuine.lastAt === null ? null : { day: dayOf(genuine.lastAt), txHash: genuine.txHash },
    stands: middle(address),
    expected: middle(genuine.address),
  };
  const reason: Reason = (texts) => texts.lookalike(pair);
  return { signals: ['lookalike'], score: PRESIGN.score.lookalike, blocking: true, reason };
}

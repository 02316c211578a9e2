import type { Context } from '../../../context.ts';
import { addressKey } from '../../../graph/address-key.ts';
import type { Tenant } from '../../../http/auth.ts';
import { listCaseAddresses, type ScannedCaseAddress } from '../../../records/cases/addresses.ts';
import { findCase } from '../../../records/cases/cases.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import { accountPolicy } from '../bridge-matches/account-policy.ts';
import { readByAccount } from '../own-readings.ts';
import type { Funds } from './funds-of.ts';
import { type FundsRequest, getFunds } from './get-funds.ts';

/** Subjects of a case that are followed together. */
export const CASE_SUBJECTS_MAX = 100;

export interface CaseFunds extends Funds {
  case_id: string;
}

/**
 * The account of the money of a case: its subjects are one party, and what moves among them is internal. Throws
 * NotFoundError, GraphError or ShapeError.
 */
export async function getCaseFunds(
  ctx: Pick<Context, 'graph' | 'labels' | 'now' | 'config' | 'bridges' | 'records'>,
  { accountId }: Pick<Tenant, 'accountId'>,
  caseId: string,
  asked: Omit<FundsRequest, 'keys' | 'readBy' | 'policy'>,
): Promise<CaseFunds> {
  await findCase(ctx.records, accountId, caseId);
  const addresses = await listCaseAddresses(ctx.records, accountId, caseId);
  const { keys, count } = subjectKeys(addresses);
  const policy = await accountPolicy(ctx, accountId);
  const found = await getFunds(ctx, { ...asked, keys, policy, readBy: readByAccount(ctx, accountId) });
  return { case_id: caseId, ...found, note: noteOfCase(found.note, count, asked.lang) };
}

/** The note of the account of a case with so many subjects. */
export function noteOfCase(note: string | null, count: number, lang: Language): string | null {
  const words = WORDS[lang].funds;
  if (count === 0) return words.no_subject;
  const most = CASE_SUBJECTS_MAX;
  const cut = count > most ? fill(words.subjects_max, { count, most }) : null;
  return [cut, note].filter(Boolean).join(' ') || null;
}

/** Graph keys of the subjects of a case that are followed, and how many it has. */
export function subjectKeys(addresses: readonly Pick<ScannedCaseAddress, 'chain' | 'address' | 'role'>[]): {
  keys: string[];
  count: number;
} {
  const subjects = addresses.filter(({ role }) => role === 'subject');
  const keys = subjects.slice(0, CASE_SUBJECTS_MAX).map(({ chain, address }) => addressKey(chain, address));
  return { keys, count: subjects.length };
}

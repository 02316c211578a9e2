import { wordOf } from '../../../../words/describe.ts';
import { FORMS, grouped, paragraph } from '../../../../words/figures.ts';
import { fill } from '../../../../words/fill.ts';
import type { Language } from '../../../../words/language.ts';
import { WORDS } from '../../../../words/words.ts';
import type { RecordsContext } from '../../../context.ts';
import { ADVERSE_CATEGORIES, type Category } from '../../../domain/label.ts';
import type { FundsRow } from '../../../domain/tracing/answers.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { listCaseAddresses } from '../../../records/cases/addresses.ts';
import { findCase } from '../../../records/cases/cases.ts';
import { type Group, partyOfAll } from '../../read/by-entity.ts';
import type { TraceContext } from '../../read/trace-money.ts';
import { CASE_SUBJECTS_MAX, subjectKeys, victimKeys } from './case-subjects.ts';
import type { Funds } from './funds-of.ts';
import { type FundsOptions, getFunds } from './get-funds.ts';
import type { VictimSums } from './victims.ts';

/** Money goes on from those who took it. Those who hide it are services, and hold the money of others too. */
const CULPRITS: readonly Category[] = ADVERSE_CATEGORIES.filter(
  (one) => one !== 'mixer' && one !== 'high_risk_exchange',
);
const CULPRITS_MAX = 3;

export interface CaseFunds extends Funds {
  case_id: string;
  kept: FundsRow[];
  victims: VictimSums | null;
  /** Set for an account by holders: the addresses of the one party, and those of them whose transfers were followed. */
  party?: PartySize;
}

interface PartySize {
  size: number;
  followed: number;
}

/**
 * The account of the money of a case. Its subjects are one party, and what moves among them is internal; by holders the party has all
 * members of their holders too. Throws NotFoundError, GraphError or ShapeError.
 */
export async function getCaseFunds(
  ctx: TraceContext & RecordsContext,
  { accountId }: Tenant,
  caseId: string,
  { group = 'address', ...asked }: FundsOptions & { group?: Group },
): Promise<CaseFunds> {
  await findCase(ctx.records, accountId, caseId);
  const addresses = await listCaseAddresses(ctx.records, accountId, caseId);
  const { keys, count } = subjectKeys(addresses);
  const ofCase = { ...asked, withKept: true, victims: victimKeys(addresses) };
  if (group === 'address') {
    const { kept = [], victims = null, ...found } = await getFunds(ctx, { ...ofCase, keys });
    return { case_id: caseId, ...found, kept, victims, note: noteOfCase(found, count, asked.lang) };
  }
  const { keys: followed, own } = await partyOfAll(ctx.graph, keys);
  const party = { size: own.size, followed: followed.length };
  const whole = { keys: followed, own, entity: null };
  const { kept = [], victims = null, ...found } = await getFunds(ctx, { ...ofCase, keys: followed, party: whole });
  const note = noteOfCase(found, count, asked.lang, party);
  return { case_id: caseId, ...found, kept, victims, party, note };
}

/** Returns the note of the account of a case, by its number of subjects, and with holders by the size of their party. */
export function noteOfCase(
  { rows, note }: Pick<Funds, 'rows' | 'note'>,
  count: number,
  lang: Language,
  party?: PartySize,
): string | null {
  const { funds: words, cases } = WORDS[lang];
  const role = cases.roles.subject;
  if (count === 0) return words.no_subject;
  const most = CASE_SUBJECTS_MAX;
  const cut = count > most ? fill(words.subjects_max, { count: grouped(count, lang), most }) : null;
  const unfollowed =
    party && party.size > party.followed
      ? fill(words.members_max, { count: grouped(party.size, lang), followed: grouped(party.followed, lang) })
      : null;
  const parties = culprits(rows, lang);
  const ended = parties === null ? null : fill(words.ends_at, { parties, role });
  return paragraph([cut, unfollowed, note, ended], lang);
}

/** Labelled wallets of criminals at which much of the money ended, the largest three; null for none. */
function culprits(rows: readonly FundsRow[], lang: Language): string | null {
  const names = rows
    .filter(({ category, label, share }) => category !== null && label && CULPRITS.includes(category) && share >= 0.01)
    .map(({ category, label }) => FORMS[lang].bracketed(label as string, wordOf(category as Category, lang)));
  return [...new Set(names)].slice(0, CULPRITS_MAX).join(FORMS[lang].comma) || null;
}

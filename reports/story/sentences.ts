import { sumByAsset } from '../../src/domain/amount.ts';
import { protocolName } from '../../src/domain/bridges/protocols.ts';
import { chainName } from '../../src/domain/chain.ts';
import { chainReached } from '../../src/domain/tracing/funds-row.ts';
import type { CaseMoney, CasePayer } from '../../src/questions/cases/report/case-money.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { FORMS, grouped, percent, usd } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { plainNote } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';
import { assetsText, dayText } from '../sections/texts.ts';
import { type EndRow, shareOf, unseenReasons } from './ends.ts';
import { codesText, type Parties, subjectsText } from './parties.ts';
import { keptOf } from './where-rows.ts';

const NAMED_MAX = 3;

/** In three sentences: who lost what when, which way it went, where it is now. */
export function threeSentences(input: CaseReportInput, parties: Parties, ends: readonly EndRow[]): string[] {
  const { money, language } = input;
  const say = WORDS[language].story;
  if (!money) return [...victimsUnpaid(input, parties), say.late];
  if (!parties.all.some(({ role }) => role === 'subject')) {
    return [...victimsUnpaid(input, parties), say.notFollowed, say.nowNothing];
  }
  return [
    lossSentence(money, input, parties),
    waySentence(money, language, parties),
    nowSentence(money, ends, parties, language),
  ];
}

/** The money that could not be followed and why, in one sentence, with the note of the account; null where nothing is to say. */
export function unseenSentence(input: CaseReportInput, ends: readonly EndRow[]): string | null {
  const { money, language, addresses, others = [] } = input;
  const records = [...addresses.map(({ record }) => record), ...others];
  // Without a subject the sentences before it say so.
  if (!money || !records.some(({ role }) => role === 'subject')) return null;
  const say = WORDS[language].story;
  const note = money.sent.note === null ? [] : [plainNote(money.sent.note)];
  const unseen = money.sent.total_usd > 0 ? [unseenText(money, ends, language) ?? say.allSeen] : [];
  return [...unseen, ...note].join(FORMS[language].space) || null;
}

function unseenText({ sent }: CaseMoney, ends: readonly EndRow[], language: Language): string | null {
  const rows = ends.filter(({ unseenUsd }) => unseenUsd > 0);
  if (rows.length === 0) return null;
  const unseenShare = rows.reduce((sum, row) => sum + row.unseenShare, 0);
  const unseenUsd = rows.reduce((sum, row) => sum + row.unseenUsd, 0);
  // The row of all others may hold both.
  const isWhole = rows.every((row) => row.unseenUsd === row.usd);
  return fill(WORDS[language].story.unseen, {
    usd: usd(unseenUsd, language),
    share: isWhole ? shareOf(rows, ends, language) : percent(unseenShare, language),
    reasons: unseenReasons(sent.rows, language).join(WORDS[language].report.between),
  });
}

/** The victims of a case of which no payment to a subject is known. */
function victimsUnpaid({ addresses, others = [], language }: CaseReportInput, parties: Parties): string[] {
  const victims = [...addresses.map(({ record }) => record), ...others].filter(({ role }) => role === 'victim');
  if (victims.length === 0) return [];
  const names = victims.map(({ chain, address }) => parties.nameOf(chain, address));
  return [fill(WORDS[language].story.noVictim, { victims: namesText(names, names.length, language) })];
}

function lossSentence(money: CaseMoney, input: CaseReportInput, parties: Parties): string {
  const { language } = input;
  const say = WORDS[language].story;
  const subjects = subjectsText(parties, language);
  const lost = money.payers.filter(({ isVictim }) => isVictim);
  const names = (payers: readonly CasePayer[], count: number) =>
    namesText(
      payers.map(({ chain, address }) => parties.nameOf(chain, address)),
      count,
      language,
    );
  if (lost.length > 0) {
    const values = { victims: names(lost, money.victimsTotal), subjects };
    const loss = fill(say.lost, { ...values, ...lossOf(lost, money.victims?.lost.usd ?? 0, language) });
    return [loss, returnedSentence(money, language)].filter(Boolean).join(FORMS[language].space);
  }
  const [unpaid] = victimsUnpaid(input, parties);
  if (unpaid) return unpaid;
  if (money.payers.length === 0) return fill(say.receivedNothing, { subjects });
  const payers = names(money.payers, money.payersTotal);
  return fill(say.received, { subjects, payers, ...lossOf(money.payers, money.paidUsd, language) });
}

/** Says what of the loss came back; null for nothing. */
function returnedSentence({ victims }: CaseMoney, language: Language): string | null {
  const { usd: returnedUsd, assets, unpriced } = victims?.returned ?? { usd: 0, assets: {}, unpriced: {} };
  const all = sumByAsset([assets, unpriced]);
  if (Object.keys(all).length === 0) return null;
  const values = { usd: usd(returnedUsd, language), assets: assetsText(all, language) };
  return fill(WORDS[language].story.returned, values);
}

function lossOf(payers: readonly CasePayer[], totalUsd: number, language: Language) {
  const assets = [...new Set(payers.flatMap((one) => Object.keys(one.assets)))];
  const only = payers.length === 1 ? payers[0]!.assets : null;
  const times = payers.flatMap(({ first_at, last_at }) => [first_at, last_at]).sort();
  return {
    usd: usd(totalUsd, language),
    assets: only ? assetsText(only, language) : assets.slice(0, NAMED_MAX).join(FORMS[language].comma),
    when: whenText(times[0]!, times.at(-1)!, language),
  };
}

function waySentence({ sent }: CaseMoney, language: Language, parties: Parties): string {
  const say = WORDS[language].story;
  const subjects = subjectsText(parties, language);
  if (sent.total_usd <= 0) return fill(say.notSent, { subjects });
  const spans = [...sent.flows, ...sent.rows].flatMap(({ first_at, last_at }) => [first_at, last_at]);
  const times = spans.filter((at) => at !== null).sort();
  const when = times.length > 0 ? whenText(times[0]!, times.at(-1)!, language) : '';
  const values = { usd: usd(sent.total_usd, language), subjects, when };
  if (sent.flows.length === 0) return fill(say.wayPlain, values).replace('  ', ' ');
  const { comma } = FORMS[language];
  const wallets = parties.all.filter(({ role, category }) => role === 'way' && category === null);
  const chains = [...new Set(sent.flows.flatMap((flow) => [flow.chain, chainReached(flow)]))].map(chainName);
  const crossings = sent.flows.flatMap(({ bridge }) => (bridge && bridge.reason === null ? [bridge] : []));
  const names = [...new Set(crossings.map(({ protocol }) => protocolName(protocol)))].join(comma);
  return fill(wallets.length > 0 ? say.way : say.wayDirect, {
    ...values,
    wallets: codesText(
      wallets.map(({ code }) => code),
      language,
    ),
    chains: chains.join(comma),
    bridges: crossings.length > 0 ? fill(say.overBridges, { count: crossings.length, names }) : '',
  });
}

function nowSentence(money: CaseMoney, ends: readonly EndRow[], parties: Parties, language: Language): string {
  const say = WORDS[language].story;
  const keptParts = keptOf(money, parties, language);
  const kept = keptParts && fill(say.nowSubjects, keptParts);
  if (money.sent.total_usd <= 0) return kept ?? say.nowNothing;
  const shown = ends.filter(({ kind, isPlace }) => kind === 'party' || kind === 'held' || isPlace).slice(0, NAMED_MAX);
  const partOf = (rows: readonly EndRow[]) => ({
    share: shareOf(rows, ends, language),
    usd: usd(
      rows.reduce((sum, row) => sum + row.usd, 0),
      language,
    ),
  });
  const parts = shown.map((row) =>
    fill(row.kind === 'party' ? say.nowAt : row.kind === 'held' ? say.nowHeld : say.nowLast, {
      ...partOf([row]),
      name: row.name,
      why: row.what,
    }),
  );
  // A change of prices has a row in the table, and cannot end anywhere.
  const rest = ends.filter((row) => !shown.includes(row) && row.kind !== 'price_change');
  const restText = rest.some(({ unseenUsd }) => unseenUsd > 0) ? say.nowRest : say.nowElsewhere;
  if (rest.some((row) => row.usd >= 0.005)) parts.push(fill(restText, partOf(rest)));
  const now = fill(say.now, { parts: parts.join(WORDS[language].report.between) });
  return kept === null ? now : [now, kept].join(FORMS[language].space);
}

/** The first three names, and how many more of all there are. */
function namesText(names: readonly string[], count: number, language: Language): string {
  const shown = names.slice(0, NAMED_MAX).join(FORMS[language].comma);
  if (count <= NAMED_MAX) return shown;
  return fill(WORDS[language].story.andMore, { named: shown, count: grouped(count - NAMED_MAX, language) });
}

function whenText(first: string, last: string, language: Language): string {
  const say = WORDS[language].story;
  const [from, to] = [dayText(first, language), dayText(last, language)];
  return from === to ? fill(say.day, { day: from }) : fill(say.span, { from, to });
}

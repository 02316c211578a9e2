import { protocolName } from '../../src/domain/bridges/protocols.ts';
import { type CasePayer, chainReached } from '../../src/questions/cases/report/case-money.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { FORMS, grouped, percent, usd } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import type { Language } from '../../src/words/language.ts';
import { WORDS } from '../../src/words/words.ts';
import { assetsText, dayText, plainNote } from '../sections/texts.ts';
import { type EndRow, unseenOf } from './ends.ts';
import type { Parties } from './parties.ts';
import { mainPayers } from './steps.ts';

const NAMED_MAX = 3;

/** In three sentences: who lost what when, which way it went, where it is now. */
export function threeSentences(input: CaseReportInput, parties: Parties, ends: readonly EndRow[]): string[] {
  const { money, language } = input;
  const say = WORDS[language].story;
  if (!money) return [lossSentence(input, parties), say.late];
  if (!parties.all.some(({ role }) => role === 'subject')) {
    const victims = victimsOf(input).map(({ chain, address }) => parties.nameOf(chain, address));
    const named = victims.length > 0 ? [fill(say.noVictim, { victims: namesText(victims, language) })] : [];
    return [...named, say.notFollowed, say.nowNothing];
  }
  return [lossSentence(input, parties), waySentence(input, parties), nowSentence(input, ends)];
}

/** The money that could not be followed and why, in one sentence; null where no money is known. */
export function unseenSentence(input: CaseReportInput): string | null {
  const { money, language } = input;
  const say = WORDS[language].story;
  if (!money || money.sent.total_usd <= 0) return null;
  const unseen = unseenOf(input);
  const { between } = WORDS[language].report;
  const note = money.sent.note ? ` ${plainNote(money.sent.note)}` : '';
  if (unseen.usd <= 0) return say.allSeen + note;
  const share = percent(unseen.usd / money.sent.total_usd, language);
  return fill(say.unseen, { usd: usd(unseen.usd, language), share, reasons: unseen.reasons.join(between) }) + note;
}

function victimsOf({ addresses, others = [] }: CaseReportInput) {
  return [...addresses.map(({ record }) => record), ...others].filter(({ role }) => role === 'victim');
}

function lossSentence(input: CaseReportInput, parties: Parties): string {
  const { money, language } = input;
  const say = WORDS[language].story;
  const victims = victimsOf(input);
  const isVictim = (payer: CasePayer) =>
    victims.some((one) => one.chain === payer.chain && one.address === payer.address);
  const payers = mainPayers(money);
  const lost = payers.filter(isVictim);
  const subjects = subjectsText(parties, language);
  const name = ({ chain, address }: { chain: string; address: string }) => parties.nameOf(chain, address);
  if (lost.length > 0)
    return fill(say.lost, { victims: namesText(lost.map(name), language), subjects, ...sumOf(lost, language) });
  if (victims.length > 0) return fill(say.noVictim, { victims: namesText(victims.map(name), language) });
  if (payers.length === 0) return fill(say.receivedNothing, { subjects });
  return fill(say.received, { subjects, payers: namesText(payers.map(name), language), ...sumOf(payers, language) });
}

function sumOf(payers: readonly CasePayer[], language: Language) {
  const total = payers.reduce((sum, one) => sum + one.usd, 0);
  const assets = [...new Set(payers.flatMap((one) => Object.keys(one.assets)))];
  const only = payers.length === 1 ? payers[0]!.assets : null;
  const first = payers.map(({ first_at }) => first_at).sort()[0]!;
  const last = payers
    .map(({ last_at }) => last_at)
    .sort()
    .at(-1)!;
  return {
    usd: usd(total, language),
    assets: only ? assetsText(only, language) : assets.slice(0, NAMED_MAX).join(FORMS[language].comma),
    when: whenText(first, last, language),
  };
}

function waySentence({ money, language }: CaseReportInput, parties: Parties): string {
  const say = WORDS[language].story;
  const { sent } = money!;
  const subjects = subjectsText(parties, language);
  if (sent.total_usd <= 0) return fill(say.notSent, { subjects });
  const from = [
    ...sent.flows.map(({ first_at }) => first_at),
    ...sent.rows.flatMap(({ first_at }) => first_at ?? []),
  ].sort()[0];
  const to = [...sent.flows.map(({ last_at }) => last_at), ...sent.rows.flatMap(({ last_at }) => last_at ?? [])]
    .sort()
    .at(-1);
  const when = from && to ? whenText(from, to, language) : '';
  const values = { usd: usd(sent.total_usd, language), subjects, when };
  if (sent.flows.length === 0) return fill(say.wayPlain, values).replace('  ', ' ');
  const { comma } = FORMS[language];
  const wallets = parties.all.filter(({ role, category }) => role === 'way' && category === null);
  const chains = [...new Set(sent.flows.flatMap((flow) => [flow.chain, chainReached(flow)]))];
  const crossings = sent.flows.flatMap(({ bridge }) => (bridge && bridge.reason === null ? [bridge] : []));
  const names = [...new Set(crossings.map(({ protocol }) => protocolName(protocol)))].join(comma);
  const bridges = crossings.length > 0 ? fill(say.overBridges, { count: crossings.length, names }) : '';
  return fill(say.way, {
    ...values,
    wallets: walletsText(
      wallets.map(({ code }) => code),
      language,
    ),
    chains: chains.join(comma),
    bridges,
  });
}

function nowSentence({ money, language }: CaseReportInput, ends: readonly EndRow[]): string {
  const say = WORDS[language].story;
  const total = money!.sent.total_usd;
  if (total <= 0) return say.nowNothing;
  const shown = ends.filter(({ kind }) => kind === 'party' || kind === 'held').slice(0, NAMED_MAX);
  const parts = shown.map(({ kind, tenths, usd: amount, name }) =>
    fill(kind === 'held' ? say.nowHeld : say.nowAt, {
      share: tenthsText(tenths, language),
      usd: usd(amount, language),
      name,
    }),
  );
  const rest = ends.filter((row) => !shown.includes(row));
  const restUsd = rest.reduce((sum, row) => sum + row.usd, 0);
  const restTenths = rest.reduce((sum, row) => sum + row.tenths, 0);
  if (restUsd >= 0.005)
    parts.push(fill(say.nowRest, { share: tenthsText(restTenths, language), usd: usd(restUsd, language) }));
  return fill(say.now, { parts: parts.join(WORDS[language].report.between) });
}

export function tenthsText(tenths: number, language: Language): string {
  return FORMS[language].number(`${(tenths / 10).toFixed(1)} %`);
}

function subjectsText(parties: Parties, language: Language): string {
  const subjects = parties.all.filter(({ role }) => role === 'subject');
  const [only] = subjects;
  if (subjects.length === 1 && only) return parties.nameOf(only.chain, only.address);
  return walletsText(
    subjects.map(({ code }) => code),
    language,
  );
}

function walletsText(codes: readonly string[], language: Language): string {
  const say = WORDS[language].story;
  if (codes.length === 0) return say.noWallets;
  if (codes.length <= NAMED_MAX) return codes.join(FORMS[language].comma);
  return fill(say.wallets, { count: grouped(codes.length, language), first: codes[0]!, last: codes.at(-1)! });
}

function namesText(names: readonly string[], language: Language): string {
  const shown = names.slice(0, NAMED_MAX).join(FORMS[language].comma);
  if (names.length <= NAMED_MAX) return shown;
  return fill(WORDS[language].story.andOthers, { named: shown, count: grouped(names.length - NAMED_MAX, language) });
}

function whenText(first: string, last: string, language: Language): string {
  const say = WORDS[language].story;
  const [from, to] = [dayText(first, language), dayText(last, language)];
  return from === to ? fill(say.day, { day: from }) : fill(say.span, { from, to });
}

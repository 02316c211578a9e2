import { protocolName } from '../../src/domain/bridges/protocols.ts';
import { compare } from '../../src/domain/compare.ts';
import type { FundsFlow } from '../../src/domain/tracing/funds/flows.ts';
import { type CasePayer, chainReached } from '../../src/questions/cases/report/case-money.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { moment } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import type { Language } from '../../src/words/language.ts';
import { WORDS } from '../../src/words/words.ts';
import { assetsText } from '../sections/texts.ts';
import type { Parties } from './parties.ts';

/** One event of the timeline. */
export interface Step {
  at: string;
  text: string;
  usd: number;
  /** In the order in which they happened; a bridge has one on each chain. */
  transactions: { chain: string; txHash: string }[];
  /** Where there are more transactions than are named. */
  note: string | null;
}

const STEPS_MAX = 40;
/** Flows of a smaller part of the money are left out where there are many. */
const SHARE_MIN = 0.005;
const NAMED_MAX = 2;
const PAYERS_MAX = 5;

/** The steps of the main way in order of time, the loss first, and how many smaller ones there are. */
export function stepsOf(input: CaseReportInput, parties: Parties): { steps: Step[]; left: number } {
  const { money } = input;
  if (!money) return { steps: [], left: 0 };
  const main = mainFlows(money.sent.flows);
  const steps = [...lossSteps(input, parties), ...main.map((flow) => stepOf(flow, input, parties))];
  return { steps: steps.sort((a, b) => compare(a.at, b.at)), left: money.sent.flows.length - main.length };
}

/** The flows that a picture or a text has room for, largest first. */
function mainFlows(flows: readonly FundsFlow[]): FundsFlow[] {
  const large = flows.filter(({ share }) => share >= SHARE_MIN);
  return (large.length > 0 ? large : [...flows]).slice(0, STEPS_MAX);
}

/** Senders that paid the subjects more than a trifle, as for fees. */
export function mainPayers(money: CaseReportInput['money']): CasePayer[] {
  return money?.payers.filter(({ usd }) => usd >= SHARE_MIN * money.receivedUsd) ?? [];
}

function lossSteps({ money, language }: CaseReportInput, parties: Parties): Step[] {
  const say = WORDS[language].story;
  const subjects = parties.all
    .filter(({ role }) => role === 'subject')
    .map(({ chain, address }) => parties.nameOf(chain, address));
  const to = subjects.length === 1 ? subjects[0]! : (subjects[0] ?? '') + (subjects.length > 1 ? ' …' : '');
  return mainPayers(money)
    .slice(0, PAYERS_MAX)
    .map((payer) => ({
      at: payer.first_at,
      text: fill(say.eventLoss, {
        from: parties.nameOf(payer.chain, payer.address),
        to,
        assets: assetsText(payer.assets, language),
      }),
      usd: payer.usd,
      transactions: payer.transactions.slice(0, NAMED_MAX).map((txHash) => ({ chain: payer.chain, txHash })),
      note: noteOf(payer.transfers, payer.last_at, language),
    }));
}

function stepOf(flow: FundsFlow, { language }: CaseReportInput, parties: Parties): Step {
  const say = WORDS[language].story;
  const there = chainReached(flow);
  const [from, to] = [parties.nameOf(flow.chain, flow.from), parties.nameOf(there, flow.to)];
  const assets = assetsText(flow.assets, language);
  const { bridge } = flow;
  const hashes = flow.transfers
    .slice(0, NAMED_MAX)
    .map(({ tx_hash: txHash }) => ({ chain: flow.chain as string, txHash }));
  const note = noteOf(flow.tx_count, flow.last_at, language);
  const place = { at: flow.first_at, usd: flow.usd };
  if (bridge && bridge.reason === null) {
    const other = bridge.destination.chain ?? there;
    const text = fill(say.eventBridge, {
      from,
      to,
      assets,
      protocol: protocolName(bridge.protocol),
      chain: flow.chain,
      other,
    });
    const sides = [bridge.source, bridge.destination].flatMap(({ chain, tx_hash }) =>
      chain && tx_hash ? [{ chain, txHash: tx_hash }] : [],
    );
    return { ...place, text, transactions: sides, note };
  }
  const isService = parties.find(there, flow.to)?.category != null;
  const text = fill(isService ? say.eventArrived : say.eventMoved, { from, to, assets });
  return { ...place, text, transactions: [...new Map(hashes.map((one) => [one.txHash, one])).values()], note };
}

function noteOf(count: number, last: string, language: Language): string | null {
  if (count <= NAMED_MAX) return null;
  return fill(WORDS[language].story.transfers, { count, until: moment(last, language) });
}

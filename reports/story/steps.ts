import type { BridgeFacts } from '../../src/domain/bridges/bridge-facts.ts';
import { compare } from '../../src/domain/compare.ts';
import type { FundsFlow } from '../../src/domain/tracing/answers.ts';
import { chainReached } from '../../src/domain/tracing/funds-row.ts';
import type { CaseMoney, CasePayer } from '../../src/questions/cases/report/case-money.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { grouped, moment, usd } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { withTag } from '../../words/request-lines.ts';
import { WORDS } from '../../words/words.ts';
import { routeOf } from '../sections/describe-bridge.ts';
import { assetsText } from '../sections/texts.ts';
import { type Parties, subjectsText } from './parties.ts';

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
/** Flows shown where none of many is large. */
const SMALL_STEPS_MAX = 10;
/** Flows, and payers, of a smaller part of the money are left out where there are many. */
export const SHARE_MIN = 0.005;
const NAMED_MAX = 2;
const PAYERS_MAX = 5;

/** The steps of the main way in order of time, the loss first, and in sentences what they leave out. */
export function stepsOf(input: CaseReportInput, parties: Parties): { steps: Step[]; left: string[] } {
  const { money, language } = input;
  if (!money) return { steps: [], left: [] };
  const say = WORDS[language].story;
  const main = mainFlows(money.sent.flows);
  const payers = mainPayers(money, PAYERS_MAX);
  const others = otherPayers(money, payers);
  const smaller = money.sent.flows.length - main.length;
  const steps = [
    ...payers.map((payer) => lossStep(payer, input, parties)),
    ...main.map((flow) => stepOf(flow, input, parties)),
  ];
  return {
    steps: steps.sort((a, b) => compare(a.at, b.at)),
    left: [
      ...(others.count > 0
        ? [
            fill(say.morePayers, {
              subjects: subjectsText(parties, language),
              count: grouped(others.count, language),
              usd: usd(others.usd, language),
            }),
          ]
        : []),
      ...(smaller > 0 ? [fill(say.eventMore, { count: grouped(smaller, language) })] : []),
    ],
  };
}

/** The flows that a picture or a text has room for, largest first. */
function mainFlows(flows: readonly FundsFlow[]): FundsFlow[] {
  const large = flows.filter(({ share }) => share >= SHARE_MIN);
  return large.length > 0 ? large.slice(0, STEPS_MAX) : flows.slice(0, SMALL_STEPS_MAX);
}

/** Returns every victim that the case names, and of the `most` largest other senders those of more than a trifle, as for fees. */
export function mainPayers({ payers, paidUsd }: CaseMoney, most: number): CasePayer[] {
  return payers.filter(({ isVictim, usd }, place) => isVictim || (place < most && usd >= SHARE_MIN * paidUsd));
}

/** How many senders are not among these, and what they paid. */
export function otherPayers({ payersTotal, paidUsd }: CaseMoney, shown: readonly CasePayer[]) {
  return {
    count: payersTotal - shown.length,
    usd: Math.max(
      0,
      shown.reduce((rest, one) => rest - one.usd, paidUsd),
    ),
  };
}

function lossStep(payer: CasePayer, { language }: CaseReportInput, parties: Parties): Step {
  return {
    at: payer.first_at,
    text: fill(WORDS[language].story.eventLoss, {
      from: parties.nameOf(payer.chain, payer.address),
      to: subjectsText(
        parties,
        language,
        payer.paid.map(({ to }) => to),
      ),
      assets: assetsText(payer.assets, language),
    }),
    usd: payer.usd,
    transactions: payer.transactions.slice(0, NAMED_MAX).map((txHash) => ({ chain: payer.chain, txHash })),
    note: noteOf(payer.transfers, payer.last_at, language),
  };
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
  if (bridge?.reason)
    return { ...place, text: endedText(bridge, { from, assets }, language), transactions: sidesOf(bridge), note };
  if (bridge) {
    const arrived = assetsText(flow.arrived?.assets ?? flow.assets, language);
    const text = fill(say.eventBridge, { from, to, assets, arrived, ...wayOver(bridge, language) });
    return { ...place, text, transactions: sidesOf(bridge), note };
  }
  const isService = parties.find(there, flow.to)?.category != null;
  const text = fill(isService ? say.eventArrived : say.eventMoved, { from, to: toTagged(to, flow, language), assets });
  return { ...place, text, transactions: [...new Map(hashes.map((one) => [one.txHash, one])).values()], note };
}

/** Describes a crossing that is not followed: who likely received it, else why it ends. It does not name the bridge's contract. */
function endedText(bridge: BridgeFacts, sent: { from: string; assets: string }, language: Language) {
  const say = WORDS[language].story;
  const { address: to, asset, amount } = bridge.destination;
  const values = { ...sent, ...wayOver(bridge, language), reason: WORDS[language].ends[bridge.reason!] };
  if (bridge.match !== 'likely' || !to || !asset || !amount) return fill(say.eventBridgeEnd, values);
  return fill(say.eventBridgeLikely, { ...values, to, arrived: assetsText({ [asset]: amount }, language) });
}

function wayOver(bridge: BridgeFacts, language: Language) {
  const { protocol, from: chain, to: other } = routeOf(bridge, language);
  return { protocol, chain, other };
}

function sidesOf({ source, destination }: BridgeFacts): Step['transactions'] {
  return [source, destination].flatMap(({ chain, tx_hash }) => (chain && tx_hash ? [{ chain, txHash: tx_hash }] : []));
}

/** The receiver with the tag of its customer, where the transfers name one and the same. */
function toTagged(to: string, { transfers }: FundsFlow, language: Language): string {
  const tag = transfers[0]?.destination_tag;
  const isOne = transfers.every(({ destination_tag }) => destination_tag === tag);
  return isOne ? withTag(to, tag, WORDS[language].requests) : to;
}

function noteOf(count: number, last: string, language: Language): string | null {
  if (count <= NAMED_MAX) return null;
  return fill(WORDS[language].story.transfers, { count, until: moment(last, language) });
}

import type { BridgeFacts } from '../../src/domain/bridges/bridge-facts.ts';
import { compare } from '../../src/domain/compare.ts';
import type { Hop } from '../../src/domain/tracing/hop.ts';
import type { ExposureAnswer } from '../../src/questions/tracing/get-exposure.ts';
import type { TerminalsAnswer } from '../../src/questions/tracing/get-terminals.ts';
import { grouped, moment, percent, usd } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import { WORDS } from '../../src/words/words.ts';
import { pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { ensureSpace } from '../pdf/document.ts';
import { drawFlow, type FlowNode, flowHeight } from '../pdf/flow-diagram.ts';
import { pdfTable, type TableRow } from '../pdf/table.ts';
import { describeBridge, describeEnd } from './describe-bridge.ts';
import { type Section, wordFor } from './section.ts';
import { type MoneyOfReport, moneyTable } from './traced-shares.ts';

type Bucket = ExposureAnswer['direct'][number];

/** Paths of evidence shown; each labelled party has one. */
const PATHS_MAX = 10;
const NODES_PER_SIDE = 7;

export function exposureSection(section: Section, money: MoneyOfReport): void {
  const { exposure } = money;
  const { pdf, words, outline } = section;
  const reach = { hops: exposure.max_hops };
  const entry = pdfHeading(pdf, 2, words.exposure, outline);
  const buckets = bucketsOf(exposure);
  pdfParagraph(pdf, fill(words.reach, reach));
  if (buckets.length === 0) pdfParagraph(pdf, fill(words.noExposure, reach));
  else exposureTable(section, exposure);
  moneyTable(section, money);
  if (buckets.length > 0) diagram({ ...section, outline: entry }, exposure);
  patterns({ ...section, outline: entry }, exposure);
  paths({ ...section, outline: entry }, exposure);
}

function bucketsOf(exposure: ExposureAnswer): { tier: 'direct' | 'indirect'; bucket: Bucket }[] {
  return (['direct', 'indirect'] as const).flatMap((tier) => exposure[tier].map((bucket) => ({ tier, bucket })));
}

function exposureTable(section: Section, exposure: ExposureAnswer): void {
  const { pdf, words } = section;
  pdfTable(
    pdf,
    [
      { title: words.tier, width: 0.12 },
      { title: words.direction, width: 0.12 },
      { title: words.category, width: 0.16 },
      { title: words.amount, width: 0.17, align: 'right' },
      { title: words.share, width: 0.1, align: 'right' },
      { title: words.upper, width: 0.16, align: 'right' },
      { title: words.addresses, width: 0.11, align: 'right' },
      { title: words.hops, width: 0.06, align: 'right' },
    ],
    bucketsOf(exposure).map(({ tier, bucket }) => [
      words[tier],
      words[bucket.direction],
      wordFor(section, bucket.category),
      usd(bucket.usd),
      percent(bucket.share),
      usd(bucket.usd_upper),
      grouped(bucket.address_count),
      String(bucket.min_hops),
    ]),
  );
}

function diagram(section: Section, exposure: ExposureAnswer): void {
  const { pdf, words, outline } = section;
  const nodes = (direction: Bucket['direction']): FlowNode[] =>
    bucketsOf(exposure)
      .filter(({ bucket }) => bucket.direction === direction)
      .flatMap(({ bucket }) => bucket.top.map((party) => ({ ...party, category: wordFor(section, bucket.category) })))
      .sort((a, b) => b.usd - a.usd || compare(a.address, b.address))
      .slice(0, NODES_PER_SIDE)
      .map(({ address, chain, label, category, usd: amount }) => ({
        address,
        title: `${label ?? '–'} (${chain === exposure.chain ? category : `${category}, ${chain}`})`,
        usd: amount,
      }));
  const flow = { subject: exposure.address, origins: nodes('received'), ends: nodes('sent') };
  ensureSpace(pdf, flowHeight(flow) + 70);
  pdfHeading(pdf, 3, words.diagram, outline);
  pdfParagraph(pdf, words.diagramNote, { faint: true });
  drawFlow(pdf, flow);
}

function patterns({ pdf, words, outline }: Section, exposure: ExposureAnswer): void {
  if (exposure.patterns.length === 0) return;
  pdfHeading(pdf, 3, words.patterns, outline);
  pdfParagraph(pdf, words.patternsNote, { faint: true });
  for (const pattern of exposure.patterns) {
    const { name, severity, description: text } = pattern;
    pdfParagraph(pdf, fill(words.pattern, { name, severity, usd: usd(pattern.usd), text }));
  }
}

/** The labelled parties whose paths a report shows, largest first. */
function shownParties(exposure: ExposureAnswer) {
  return bucketsOf(exposure)
    .flatMap(({ bucket }) => bucket.top.map((party) => ({ bucket, party })))
    .sort((a, b) => b.party.usd - a.party.usd || compare(a.party.address, b.party.address))
    .slice(0, PATHS_MAX);
}

/** The crossings of bridges on the paths of evidence, each once, as text without tables. */
export function crossingsSection({ pdf, language, outline }: Section, exposure: ExposureAnswer): void {
  const crossings = shownParties(exposure).flatMap(({ party }) =>
    party.path.flatMap(({ bridge }) => (bridge ? [describeBridge(bridge, language)] : [])),
  );
  if (crossings.length === 0) return;
  pdfHeading(pdf, 2, WORDS[language].bridges.crossings, outline);
  for (const text of new Set(crossings)) pdfParagraph(pdf, text);
}

/** The likely matches that analysts confirmed for addresses of the case; nothing where there are none. */
export function confirmedSection({ pdf, language, outline }: Section, confirmed: readonly BridgeFacts[] | null): void {
  const say = WORDS[language].bridges;
  if (confirmed?.length === 0) return;
  pdfHeading(pdf, 2, say.confirmedCrossings, outline);
  if (confirmed === null) pdfParagraph(pdf, say.confirmedOmitted);
  for (const bridge of confirmed ?? []) pdfParagraph(pdf, describeBridge(bridge, language));
}

function paths(section: Section, exposure: ExposureAnswer): void {
  const { pdf, words, outline } = section;
  const parties = shownParties(exposure);
  if (parties.length === 0) return;
  pdfHeading(pdf, 3, words.paths, outline);
  for (const { bucket, party } of parties) {
    ensureSpace(pdf, 90);
    pdfParagraph(
      pdf,
      fill(words.pathTo, {
        direction: words[bucket.direction],
        category: wordFor(section, bucket.category),
        label: party.label ?? '–',
        usd: usd(party.usd),
      }),
    );
    hopTable(section, party.path);
  }
}

/** Hops in the order in which the money moved. What crossed a bridge is described below its hop. */
function hopTable({ pdf, words, language }: Section, hops: readonly Hop[]): void {
  const crossesChains = hops.some(({ bridge }) => bridge);
  const at = (chain: string, address: string) => (crossesChains ? `${chain}\n${address}` : address);
  pdfTable(
    pdf,
    [
      { title: words.time, width: 0.11 },
      { title: words.transaction, width: 0.26, mono: true },
      { title: words.from, width: 0.22, mono: true },
      { title: words.to, width: 0.22, mono: true },
      { title: words.amount, width: 0.19, align: 'right' },
    ],
    hops.flatMap((hop): TableRow[] => [
      [
        moment(hop.at, language),
        hop.tx_hash,
        at(hop.chain, hop.from),
        at(chainReached(hop), hop.to),
        `${grouped(hop.amount)} ${hop.asset}${hop.usd === null ? '' : `\n${usd(hop.usd)}`}`,
      ],
      ...(hop.bridge ? [{ note: describeBridge(hop.bridge, language) }] : []),
    ]),
  );
}

/** A crossing that was not followed ends at the bridge's address on the hop's own chain. */
function chainReached({ chain, bridge }: Hop): string {
  return bridge && bridge.reason === null ? (bridge.destination.chain ?? chain) : chain;
}

export function terminalsSection(
  section: Section,
  { terminals, coverage, chain, max_hops: hops, total }: TerminalsAnswer,
): void {
  const { pdf, words, language, outline } = section;
  pdfHeading(pdf, 2, words.terminals, outline);
  if (terminals.length === 0) pdfParagraph(pdf, fill(words.noTerminals, { hops }));
  else {
    pdfParagraph(pdf, fill(words.terminalsReach, { hops }), { faint: true });
    const shown = terminals.length;
    if (total > shown) pdfParagraph(pdf, fill(words.shownOf, { shown, count: total }), { faint: true });
    pdfTable(
      pdf,
      [
        { title: words.address, width: 0.4, mono: true },
        { title: words.label, width: 0.16 },
        { title: words.category, width: 0.11 },
        { title: words.hops, width: 0.06, align: 'right' },
        { title: words.amount, width: 0.16, align: 'right' },
        { title: words.lastArrival, width: 0.11 },
      ],
      terminals.map((terminal) => [
        terminal.chain === chain ? terminal.address : `${terminal.chain}\n${terminal.address}`,
        terminal.label ?? '',
        wordFor(section, terminal.category),
        String(terminal.hops),
        arrivedThere(terminal, words.pathOnly),
        moment(terminal.last_at, language),
      ]),
    );
  }
  if (terminals.some(({ reached }) => reached === 'path')) pdfParagraph(pdf, words.pathOnlyNote, { faint: true });
  const ends = coverage.reasons.map((reason) => describeEnd(reason, language));
  if (ends.length > 0)
    pdfParagraph(pdf, fill(words.endsElsewhere, { reasons: ends.join(words.between) }), { faint: true });
}

/** The value that arrived and, by asset, how much of what. */
function arrivedThere({ reached, usd: value, assets }: TerminalsAnswer['terminals'][number], pathOnly: string): string {
  if (reached === 'path') return pathOnly;
  return [usd(value), ...Object.entries(assets).map(([asset, amount]) => `${grouped(amount)} ${asset}`)].join('\n');
}

import type { BridgeFacts, BridgeSide } from '../../src/domain/bridges/bridge-facts.ts';
import { farChainName } from '../../src/domain/bridges/far-chains.ts';
import { protocolName } from '../../src/domain/bridges/protocols.ts';
import { FORMS, grouped, moment } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { lookUp } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';

/** The name of an address. */
export type NameOf = (chain: string, address: string) => string;

/** Describes a crossing on both chains, with both transactions in full, one statement a line; `nameOfParty`: the name that a case gives an address. */
export function describeBridge(
  bridge: BridgeFacts,
  language: Language,
  nameOfParty: NameOf = (_chain, address) => address,
): string {
  const say = WORDS[language].bridges;
  const { message_id: id, reason, source, destination, bridge_fee: fee } = bridge;
  const route = routeOf(bridge, language);
  const recipient = destination.address === null ? '' : fill(say.recipient, { address: destination.address });
  return [
    fill(say.crossed, route) + (id === null ? '' : fill(say.message, { id })),
    sideLine(source, { chain: route.from, known: say.left, unknown: say.unknownLeft }, language),
    sideLine(destination, { chain: route.to, known: say.arrived, unknown: say.unknownArrived + recipient }, language),
    // Who paid into the bridge and whom it paid, never the pool itself.
    ...(source.tx_hash !== null &&
    destination.tx_hash !== null &&
    source.address !== null &&
    destination.address !== null
      ? [
          `${nameOfParty(source.chain ?? '', source.address)} → ${nameOfParty(destination.chain ?? '', destination.address)}`,
        ]
      : []),
    ...(fee !== null && Number(fee) > 0
      ? [fill(say.fee, { amount: [grouped(fee, language), source.asset ?? ''].join(' ').trim() })]
      : []),
    ...matchText(bridge, language),
    ...(reason === null ? [] : [fill(say.notFollowed, { reason: WORDS[language].ends[reason] })]),
  ].join('\n');
}

/** How sure it is that both sides are one transfer. */
function matchText({ match, confirmed, open }: BridgeFacts, language: Language): string[] {
  const say = WORDS[language].bridges;
  if (match === null) return [];
  if (open && match === 'likely') return [say.openDiffers];
  const sure = fill(say.match[match], confirmation(confirmed, language));
  return [open ? [sure, say.open].join(FORMS[language].space) : sure];
}

function sideLine(
  side: BridgeSide,
  say: { chain: string; known: string; unknown: string },
  language: Language,
): string {
  const { chain } = say;
  if (side.tx_hash === null) return fill(say.unknown, { chain });
  return fill(say.known, { chain, amount: amountOf(side, language), at: moment(side.at, language), tx: side.tx_hash });
}

function confirmation(confirmed: BridgeFacts['confirmed'], language: Language): { by: string; at: string } {
  return { by: confirmed?.by ?? '', at: confirmed ? moment(confirmed.at, language) : '' };
}

/** Writes a crossing whose two transactions surely belong together as text of a draft; null for others. */
export function crossingSentence(bridge: BridgeFacts, language: Language): string | null {
  const { match, confirmed, open, source, destination } = bridge;
  if (match === 'likely' || source.tx_hash === null || destination.tx_hash === null) return null;
  const say = WORDS[language].bridges;
  const sentence = fill(say.sentence, {
    sender: source.address ?? say.unknownAddress,
    recipient: destination.address ?? say.unknownAddress,
    ...routeOf(bridge, language),
    sent: amountOf(source, language),
    tx_out: source.tx_hash,
    received: amountOf(destination, language),
    tx_in: destination.tx_hash,
  });
  const sure = confirmed ? sentence + fill(say.confirmed, confirmation(confirmed, language)) : sentence;
  return open ? [sure, say.open].join(FORMS[language].space) : sure;
}

/** Why a trace ended, in words; a code that has none stays. */
export function describeEnd(reason: string, language: Language, bridge?: BridgeFacts): string {
  const say = WORDS[language].bridges;
  const words = lookUp({ ...WORDS[language].coverage.readings, ...WORDS[language].ends }, reason);
  return bridge ? fill(say.end, { ...routeOf(bridge, language), reason: words }) : words;
}

/** The bridge and its two chains, by name. */
export function routeOf({ protocol, source, destination }: BridgeFacts, language: Language) {
  return {
    protocol: protocolName(protocol),
    from: nameOf(protocol, source.chain, language),
    to: nameOf(protocol, destination.chain, language),
  };
}

/** The number of a chain that has no name here stands behind a word that says so. */
function nameOf(protocol: string, chain: string | null, language: Language): string {
  const say = WORDS[language].bridges;
  if (chain === null) return say.unknown;
  return farChainName(protocol, chain) ?? fill(say.otherChain, { raw: chain });
}

function amountOf({ amount, asset }: BridgeSide, language: Language): string {
  return amount === null ? '–' : `${grouped(amount, language)} ${asset ?? ''}`.trim();
}

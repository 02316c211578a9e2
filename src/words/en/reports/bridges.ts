import type { CrossingMatch } from '../../../domain/bridges/crossing.ts';

/** How reports describe crossings of bridges; `{…}` is filled in. */
export interface BridgeWords {
  /** Title of a list of crossings. */
  crossings: string;
  crossed: string;
  /** The message id after the name of the bridge. */
  message: string;
  left: string;
  arrived: string;
  unknownLeft: string;
  unknownArrived: string;
  recipient: string;
  /** How sure it is that both sides are one transfer. */
  match: Record<CrossingMatch, string>;
  /** Of a message that anybody can state: after the match, and in place of it where the values of the sides do not agree. */
  open: string;
  openDiffers: string;
  /** After the sentence of a draft, where an analyst confirmed the match. */
  confirmed: string;
  fee: string;
  /** The trace ended at the bridge. */
  notFollowed: string;
  /** A bridge in the table of ends. */
  end: string;
  /** A chain outside the supported ones, by the protocol's number. */
  otherChain: string;
  unknown: string;
  unknownAddress: string;
  /** A crossing in the text of a draft. */
  sentence: string;
  /** A crossing from or to an address of the case that an analyst confirmed. */
  confirmedSentence: string;
  /** Title of a list of them, and what it says where they could not be read. */
  confirmedCrossings: string;
  confirmedOmitted: string;
  /** In the row of a transfer by which a confirmed crossing left a chain, and of the one by which it arrived. */
  rowLeft: string;
  rowArrived: string;
}

export const bridges: BridgeWords = {
  crossings: 'Crossings of bridges',
  crossed: 'Bridge {protocol}, {from} to {to}',
  message: ', message {id}',
  left: 'Left {chain}: {amount}, {at}, transaction {tx}',
  arrived: 'Arrived on {chain}: {amount}, {at}, transaction {tx}',
  unknownLeft: 'Departure from {chain}: not known',
  unknownArrived: 'Arrival on {chain}: not known',
  recipient: ', recipient {address}',
  match: {
    id: 'Both sides state the same message.',
    likely: 'Likely the same transfer: recipient, amount and time fit; no message id joins the two sides.',
    confirmed:
      'Recipient, amount and time fit; no message id joins the two sides. Confirmed as the same transfer by {by}, {at}.',
  },
  open: 'Anybody can make such a statement.',
  openDiffers:
    'Both sides state the same message, but anybody can make such a statement, and their values do not agree or are not known.',
  confirmed: ' No message id joins the two transactions: {by} confirmed on {at} that they belong together.',
  fee: 'Did not arrive (fee): {amount}',
  notFollowed: 'Not followed: {reason}.',
  end: '{protocol}, {from} to {to}: {reason}',
  otherChain: 'chain {raw}',
  unknown: 'an unknown chain',
  unknownAddress: '(not known)',
  sentence:
    'Between address {address} and the category "{category}" the money crossed the bridge {protocol}: {sent} left {from} in transaction {tx_out}, and {received} arrived on {to} in transaction {tx_in}.',
  confirmedSentence:
    'Over the bridge {protocol}, {sent} left address {sender} on {from} in transaction {tx_out}, and {received} arrived at address {recipient} on {to} in transaction {tx_in}.',
  confirmedCrossings: 'Crossings of bridges that an analyst confirmed',
  confirmedOmitted: 'The confirmed crossings of bridges could not be read in time and are left out of this report.',
  rowLeft: 'Left over a bridge and arrived on {chain} in transaction {tx}.',
  rowArrived: 'Arrived over a bridge and left {chain} in transaction {tx}.',
};

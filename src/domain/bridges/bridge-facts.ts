import { z } from 'zod';
import { compareAmounts, formatUnits, fractionDigits, parseUnits } from '../amount.ts';
import { timestamp } from '../fields.ts';
import { iso } from '../time.ts';
import { type BridgeEnd, type Crossing, isJoinedByOpen } from './crossing.ts';
import { assetClass } from './match.ts';
import type { BridgeMessage, RouteEnd } from './message.ts';

const BridgeSideSchema = z
  .object({
    chain: z.string().nullable().describe("The chain, or the protocol's number of a chain that is not served"),
    address: z.string().nullable().describe('Sender on the source chain, recipient on the destination chain'),
    tx_hash: z.string().nullable().describe('The transaction on this chain'),
    asset: z.string().nullable().describe('Symbol of what moved on this chain'),
    amount: z.string().nullable().describe('Exact decimal of what moved on this chain'),
    at: timestamp.nullable().describe('Time of the transaction'),
  })
  .meta({ id: 'BridgeSide', description: 'What a bridge did on one chain; null for what is not known' });

export type BridgeSide = z.infer<typeof BridgeSideSchema>;

/** Documented as any text: reasons may be added. */
const END = z
  .string()
  .nullable()
  .describe(
    'Why the money is not followed to the other side: `bridge_pending`, `bridge_likely`, …; null where it is',
  ) as z.ZodType<BridgeEnd | null>;

/** A crossing from one chain to another, as hops and frontiers show it. */
export const BridgeSchema = z
  .object({
    crossing_id: z.string().describe('Names the crossing in `PUT /graph/bridge-matches`'),
    protocol: z.string().describe('`cctp_v1`, `across`, …'),
    message_id: z.string().nullable().describe('What both sides state, as the protocol writes it'),
    match: z
      .enum(['id', 'likely', 'confirmed'])
      .nullable()
      .describe(
        '`id`: both sides state one message; `likely`: amount, recipient and time fit; `confirmed`: likely, and your account confirmed it; null: one side is missing',
      ),
    confirmed: z
      .object({ by: z.string().describe('Name of the key'), at: timestamp.describe('When') })
      .optional()
      .describe('Who confirmed the match'),
    ambiguous: z
      .literal(true)
      .optional()
      .describe(
        'More than one message, or receipt, may be the other side: with `match: id` all go to this recipient and were paired in the order of time; left out for others',
      ),
    open: z
      .literal(true)
      .optional()
      .describe(
        'Both sides state one message, and anybody can make one of these statements: `match` is `likely` where their values differ by more than 10 % or are not known; left out for others',
      ),
    reason: END,
    source: BridgeSideSchema,
    destination: BridgeSideSchema,
    bridge_fee: z
      .string()
      .nullable()
      .describe('Exact decimal of what left and did not arrive, where that is one asset'),
  })
  .meta({
    id: 'Bridge',
    description: 'Money that crosses a bridge, with both of its transactions where they are known',
  });

export type BridgeFacts = z.infer<typeof BridgeSchema>;

/** Returns the facts of a crossing, and why the money is not followed over it. */
export function bridgeFacts(crossing: Crossing, reason: BridgeEnd | null): BridgeFacts {
  const { id, protocol, messageId, match, confirmed, source, destination } = crossing;
  const stated = source ?? destination;
  const side = (end: RouteEnd | null | undefined, party: string | null | undefined, message: BridgeMessage | null) => ({
    chain: end?.chain ?? end?.raw ?? null,
    address: party ?? null,
    tx_hash: message?.tx ?? null,
    asset: message?.asset ?? null,
    amount: message?.amount ?? null,
    at: message ? iso(message.at) : null,
  });
  return {
    crossing_id: id,
    protocol,
    message_id: messageId,
    match,
    ...(confirmed && { confirmed: { by: confirmed.by, at: iso(confirmed.at) } }),
    ...(crossing.ambiguous && { ambiguous: true as const }),
    ...(isJoinedByOpen(crossing) && { open: true as const }),
    reason,
    source: side(source?.route.from ?? stated?.route.from, source?.sender ?? destination?.sender, source),
    destination: side(stated?.route.to, destination?.recipient ?? source?.recipient, destination),
    bridge_fee: source && destination ? feeOf(source, destination) : null,
  };
}

/** Returns the part of what left that did not arrive, 0-1; 0 where that is not known, or where the value is that of the arrival. */
export function feePart({ source, destination, sides }: Crossing): number {
  if (sides?.leftUsd === null) return 0;
  const fee = source && destination ? Number(feeOf(source, destination) ?? 0) : 0;
  return fee > 0 ? fee / Number(source?.amount) : 0;
}

function feeOf(source: BridgeMessage, destination: BridgeMessage): string | null {
  const asset = assetClass(source);
  if (asset === null || asset !== assetClass(destination)) return null;
  if (compareAmounts(source.amount, destination.amount) < 0) return null;
  const decimals = Math.max(fractionDigits(source.amount), fractionDigits(destination.amount));
  return formatUnits(parseUnits(source.amount, decimals) - parseUnits(destination.amount, decimals), decimals);
}

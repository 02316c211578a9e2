import { z } from 'zod';
import { timestamp } from './schemas.ts';

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

/** `off` ends the money at bridges. */
export const CrossChainSwitch = z.enum(['on', 'off']).meta({
  description: '`off`: bridges are where the money ends, and nothing is read on other chains',
});

/** `follow` goes on where the other side of a bridge is only likely. */
export const LikelyMatchesSwitch = z.enum(['show', 'follow']).meta({
  description:
    '`follow`: money is also followed where the other side of a bridge is only likely: one receipt fits in recipient, amount and time',
});

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
    reason: z
      .string()
      .nullable()
      .describe(
        'Why the money is not followed to the other side: `bridge_pending`, `bridge_likely`, …; null where it is',
      ),
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

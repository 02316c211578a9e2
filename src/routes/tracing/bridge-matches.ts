import { z } from 'zod';
import type { Context } from '../../context.ts';
import { MATCH_DECISIONS } from '../../domain/case.ts';
import { CHAINS } from '../../domain/chain.ts';
import { timestamp } from '../../domain/fields.ts';
import { callerOf } from '../../http/access.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { decideMatch, listDecisions } from '../../questions/graph/match-decisions.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { givenAddress, limit, offset, pageLimit, pageOffset, total } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { longText, shortText, uuid } from '../schemas.ts';

const ID_MAX = 200;
const REASON_MAX = 5_000;

const MatchSide = z.object({
  chain: z.enum(CHAINS),
  tx_hash: z.string().describe('The transaction on this chain'),
});

const MatchDecision = z
  .object({
    crossing_id: z.string().describe('The crossing, as hops and frontiers name it'),
    source: MatchSide.describe('Where the money left'),
    destination: MatchSide.describe('The receipt that fits'),
    decision: z.enum(MATCH_DECISIONS).describe('The decision'),
    reason: z.string().describe('Why'),
    author: z.string().describe('Name of the key that decided'),
    created_at: timestamp.describe('When it was decided'),
    in_force: z.boolean().meta({ description: 'False where a later decision replaced it' }),
  })
  .meta({ id: 'BridgeMatchDecision', description: 'A decision of your account on a likely match of a bridge' });

const NewMatchDecision = z.object({
  address: givenAddress.describe('Sender or recipient of the crossing'),
  chain: chainText.nullish(),
  crossing_id: shortText(ID_MAX).describe('`bridge.crossing_id` of a hop or frontier'),
  tx_hash: shortText(ID_MAX).describe('`bridge.destination.tx_hash`: the match that was looked at'),
  decision: z.enum(MATCH_DECISIONS).describe('`withdrawn`: as if it had not been decided'),
  reason: longText(REASON_MAX).min(1).describe('Why'),
  case_id: uuid.nullish().describe('A case in whose timeline it is written too'),
});

const MatchDecisionPage = z
  .object({
    decisions: z.array(MatchDecision).describe('Newest first, replaced ones among them'),
    total,
    limit,
    offset,
  })
  .meta({ id: 'BridgeMatchDecisions' });

const config = { access: 'key', feature: 'traceAddresses' } as const;

/** Adds the routes for decisions on likely matches of bridges. */
export async function bridgeMatchRoutes(api: App, ctx: Context): Promise<void> {
  api.put(
    '/graph/bridge-matches',
    {
      config: { ...config, rights: ['cases'], turn: 'waits' },
      schema: {
        operationId: 'decideBridgeMatch',
        tags: ['Investigation'],
        summary: 'Confirm or reject a likely match of a bridge',
        description:
          'For the answers of your account alone: a confirmed match is followed without asking, a rejected one is no longer shown. A later decision replaces it.',
        body: NewMatchDecision,
        response: { 200: z.object({ decision: MatchDecision }), ...refusals(400, 403, 404, 500) },
      },
    },
    async (request) => {
      const { body } = request;
      const { chain, address } = parseAddress(body.address, body.chain);
      const { crossing_id: crossingId, tx_hash: txHash, decision, reason, case_id: caseId = null } = body;
      const given = { chain, address, crossingId, txHash, decision, reason, caseId };
      const decided = await ctx.graphQuestions.ask(callerOf(request), (graph) =>
        decideMatch({ ...ctx, graph }, tenantOf(request), given),
      );
      return { decision: decided };
    },
  );

  api.get(
    '/graph/bridge-matches',
    {
      config: { ...config, rights: ['read'] },
      schema: {
        operationId: 'listBridgeMatchDecisions',
        tags: ['Investigation'],
        summary: 'What your account decided on likely matches of bridges',
        querystring: z.object({ limit: pageLimit({ max: 500, fallback: 50 }), offset: pageOffset(100_000) }),
        response: { 200: MatchDecisionPage },
      },
    },
    async (request) => listDecisions(ctx, tenantOf(request).accountId, request.query),
  );
}

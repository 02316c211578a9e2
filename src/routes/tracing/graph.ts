import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ANY_TIME } from '../../domain/time.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseAddressPair } from '../../questions/parse-address.ts';
import { checkRelationship } from '../../tracing/answers/paths/check-relationship.ts';
import { findFlowPath, PATH_HOPS } from '../../tracing/answers/paths/find-flow-path.ts';
import { askGraph } from '../ask-graph.ts';
import { CrossChainSwitch, LikelyMatchesSwitch } from '../bridge-fields.ts';
import { givenAddress } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { momentField } from '../schemas.ts';
import { FlowPathsSchema, RelationshipSchema } from './graph-schemas.ts';
import { CypherSwitch, ENDS_BEFORE_START, endsAfterStart } from './tracing-fields.ts';

const secondChain = (field: string) =>
  `Chain of \`${field}\`; left out: \`chain\`, or without that detected from the address`;

export async function graphRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/graph/flow-path',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'], feature: 'flowPath' },
      schema: {
        operationId: 'findFlowPath',
        tags: ['Investigation'],
        summary: 'Directed money paths from one address to another',
        body: z
          .object({
            from_address: givenAddress.describe('Where the money was'),
            to_address: givenAddress.describe('Where it may have gone'),
            chain: chainText.nullish(),
            to_chain: chainText.describe(secondChain('to_address')).nullish(),
            max_hops: z
              .int()
              .min(1)
              .max(PATH_HOPS.max)
              .default(PATH_HOPS.usual)
              .describe('Transfers of a path at most'),
            min_usd: z.number().min(0).default(0).describe('US dollars that each pair of a path moved at least'),
            time_ordered: z.boolean().default(true).describe('Each hop is not earlier than the one before'),
            from: momentField.nullish().describe('First moment of all transfers of a path'),
            to: momentField.nullish().describe('Their last moment, not before `from`'),
            max_paths: z.int().min(1).max(10).default(3).describe('Paths of the answer at most'),
            through_services: z
              .boolean()
              .default(false)
              .describe('Also goes through labelled services, where money mixes'),
            cross_chain: CrossChainSwitch.default('on'),
            likely_matches: LikelyMatchesSwitch.default('show'),
            cypher: CypherSwitch.default('off'),
          })
          .refine(endsAfterStart, ENDS_BEFORE_START),
        response: { 200: FlowPathsSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const body = request.body;
      const { first, second } = parseAddressPair(
        { address: body.from_address, chain: body.chain },
        { address: body.to_address, chain: body.to_chain },
      );
      const { cross_chain: crossChain, likely_matches: likelyMatches } = body;
      const search = {
        chain: first.chain,
        from: first.address,
        toChain: second.chain,
        to: second.address,
        maxHops: body.max_hops,
        minUsd: body.min_usd,
        timeOrdered: body.time_ordered,
        maxPaths: body.max_paths,
        throughServices: body.through_services,
        span: { from: body.from ?? ANY_TIME.from, until: body.to ?? ANY_TIME.until },
      };
      return askGraph(ctx, request, { crossChain, likelyMatches, cypher: body.cypher === 'on' }, (inquiry) =>
        findFlowPath(inquiry, search),
      );
    },
  );

  api.post(
    '/graph/relationship-check',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'], feature: 'relationshipCheck' },
      schema: {
        operationId: 'checkRelationship',
        tags: ['Investigation'],
        summary: 'Whether two addresses are related, and by which transfers and counterparties',
        body: z.object({
          address_a: givenAddress,
          address_b: givenAddress,
          chain: chainText.nullish(),
          chain_b: chainText.describe(secondChain('address_b')).nullish(),
          cross_chain: CrossChainSwitch.default('on'),
          likely_matches: LikelyMatchesSwitch.default('show'),
          cypher: CypherSwitch.default('off'),
          limit: z.int().min(1).max(200).default(50).describe('Shared counterparties of the answer at most'),
        }),
        response: { 200: RelationshipSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { address_a, address_b, chain_b, limit } = request.body;
      const { cross_chain: crossChain, likely_matches: likelyMatches } = request.body;
      const { first, second } = parseAddressPair(
        { address: address_a, chain: request.body.chain },
        { address: address_b, chain: chain_b },
      );
      const pair = { chain: first.chain, a: first.address, chainB: second.chain, b: second.address };
      return askGraph(ctx, request, { crossChain, likelyMatches, cypher: request.body.cypher === 'on' }, (inquiry) =>
        checkRelationship(inquiry, { ...pair, limit }),
      );
    },
  );
}

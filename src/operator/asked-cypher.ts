import type { Context } from '../context.ts';
import { addressKey } from '../domain/address/address-key.ts';
import type { Chain } from '../domain/chain.ts';
import { ALL_TERMINAL_CATEGORIES } from '../domain/tracing/answers.ts';
import type { Direction } from '../domain/tracing/flow-portion.ts';
import { type AskedStatement, recorded } from '../graph/recorded.ts';
import { walkOutward } from '../questions/monitoring/walk-outward.ts';
import { getFunds } from '../tracing/answers/funds/get-funds.ts';
import { getExposure } from '../tracing/answers/get-exposure.ts';
import { getTerminals } from '../tracing/answers/get-terminals.ts';
import { checkRelationship } from '../tracing/answers/paths/check-relationship.ts';
import { findFlowPath } from '../tracing/answers/paths/find-flow-path.ts';
import { asOperator } from '../tracing/read/inquiry.ts';
import type { TraceContext } from '../tracing/read/trace-money.ts';

/** Canonical. */
export interface AddressOfChain {
  chain: Chain;
  address: string;
}

/** A question to the graph as it is answered where an account has decided nothing of its own. */
export type GraphQuestion =
  | { question: 'exposure' | 'terminals'; address: AddressOfChain; hops: number }
  | { question: 'funds' | 'follow'; address: AddressOfChain; direction: Direction; hops: number }
  | { question: 'flow-path'; from: AddressOfChain; to: AddressOfChain; hops: number }
  | { question: 'relationship'; from: AddressOfChain; to: AddressOfChain };

/** Answers the question and returns the statements that it asked of the graph, in order. Throws GraphError. */
export async function askedCypher(ctx: Context, question: GraphQuestion): Promise<AskedStatement[]> {
  const { graph, asked } = recorded(ctx.graph);
  await answer(asOperator({ ...ctx, graph }), question);
  return asked;
}

function answer(ctx: TraceContext, asked: GraphQuestion): Promise<unknown> {
  if (asked.question === 'relationship' || asked.question === 'flow-path') {
    const { from, to } = asked;
    if (asked.question === 'relationship') {
      const pair = { chain: from.chain, a: from.address, chainB: to.chain, b: to.address };
      return checkRelationship(ctx, { ...pair, limit: 50 });
    }
    const pair = { chain: from.chain, from: from.address, toChain: to.chain, to: to.address };
    const bounds = { maxHops: asked.hops, minUsd: 0, maxPaths: 3, timeOrdered: true, throughServices: false };
    return findFlowPath(ctx, { ...pair, ...bounds });
  }
  const { chain, address } = asked.address;
  const { hops: maxHops } = asked;
  switch (asked.question) {
    case 'exposure':
      return getExposure(ctx, { chain, address, maxHops, limit: 200 });
    case 'terminals':
      return getTerminals(ctx, { chain, address, maxHops, categories: ALL_TERMINAL_CATEGORIES, limit: 20 });
    case 'funds': {
      const { direction } = asked;
      return getFunds(ctx, { keys: [addressKey(chain, address)], direction, maxHops, lang: 'en' });
    }
    case 'follow': {
      const { direction, hops: depth } = asked;
      return walkOutward(ctx, { chain, address, direction, depth });
    }
  }
}

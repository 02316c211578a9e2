import type { CrossChain, LikelyMatches } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import type { TraceCoverage } from '../../domain/tracing/answers.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import type { Funds } from '../../tracing/answers/funds/funds-of.ts';
import type { ExposureAnswer } from '../../tracing/answers/get-exposure.ts';
import type { TerminalsAnswer } from '../../tracing/answers/get-terminals.ts';
import { stepsWithin } from '../../tracing/engine/walk/distances.ts';
import type { ExpandedAddress } from '../../tracing/read/expansion/expand.ts';
import type { ExpansionBudget } from '../../tracing/read/frontier.ts';

/** Options of a trace; kept as the input of its job. */
export interface TraceInput {
  chain: Chain;
  /** Canonical. */
  address: string;
  direction: Direction | 'both';
  maxHops: number;
  maxAddresses: number;
  minShare: number;
  minUsd: number;
  /** Left out: `on`. */
  crossChain?: CrossChain;
  /** Left out: `show`. */
  likelyMatches?: LikelyMatches;
}

/** Bridges whose other side a trace looks for. */
const CROSSINGS = 50;
/** Transactions at markets that one trace reads. */
const TRANSACTIONS = 50;

export type CoverageSoFar = Pick<TraceCoverage, 'attributed' | 'through_unread' | 'frontier'>;

/** Progress of a trace; kept as the output of its job. */
export interface TraceOutput {
  opened: ExpandedAddress[];
  coverage: CoverageSoFar | null;
  reasons: string[];
  /** At its end. */
  exposure: ExposureAnswer | null;
  /** At its end, where the plan has them. */
  terminals: TerminalsAnswer | null;
  /** At its end, of the directions that were traced; absent in what earlier versions wrote. */
  funds?: Record<Direction, Funds | null> | null;
}

export const NOTHING_FOUND: TraceOutput = { opened: [], coverage: null, reasons: [], exposure: null, terminals: null };

export function directionsOf({ direction }: TraceInput): readonly Direction[] {
  return direction === 'both' ? ['received', 'sent'] : [direction];
}

export function budgetOf(input: TraceInput): ExpansionBudget {
  const { maxHops, maxAddresses, minShare, minUsd, crossChain } = input;
  return {
    directions: directionsOf(input),
    maxHops,
    openHops: stepsWithin(maxHops),
    addresses: { total: maxAddresses, received: maxAddresses, sent: maxAddresses },
    minShare,
    minUsd,
    crossings: crossChain === 'off' ? 0 : CROSSINGS,
    transactions: TRANSACTIONS,
  };
}

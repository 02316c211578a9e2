import { language } from '../../browser/words.ts';
import type { CarriedAnswer } from '../../desk/carried.ts';
import type { BadgeCategory } from '../../parts/category-badge.tsx';
import { type Additions, nodeKey, ofFunds, ofParties, ofPath, ofTerminals } from '../../scene/additions.ts';
import type { HopAnswer } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import type { AddressFunds, Exposures, FlowPaths, Relationship, Terminals } from '../../service/tracing-answers.ts';

export type GraphQuestionName = 'exposure' | 'funds' | 'terminals' | 'flow-path' | 'relationship';

export function isPairQuestion(question: string): boolean {
  return question === 'flow-path' || question === 'relationship';
}

export interface QuestionFields {
  address: string;
  chain?: string;
  second?: string;
  secondChain?: string;
  direction: 'sent' | 'received';
  hops: number;
}

/** An end of money. */
export interface QuestionRow {
  direction: 'sent' | 'received';
  /** Why the money ends there; null at a labelled party. */
  end: string | null;
  category: BadgeCategory | null;
  chain: string | null;
  address: string | null;
  label: string | null;
  usd: number;
  share: number | null;
  hops: number;
}

export interface QuestionAnswer {
  rows: QuestionRow[];
  paths: HopAnswer[][];
  note: string | null;
  cypher: string | undefined;
  /** The same for a canvas. */
  drawn: CarriedAnswer;
}

/** Asks the product's question, with the statements by which it is answered. */
export async function askQuestion(question: GraphQuestionName, given: QuestionFields): Promise<QuestionAnswer> {
  const { address, chain, second, secondChain, direction, hops } = given;
  const query = { chain, max_hops: hops, cypher: 'on', lang: language.value };
  switch (question) {
    case 'exposure': {
      const answer = await call<Exposures>(apiPath`/exposure/${address}`, { query });
      const rows = [...answer.direct, ...answer.indirect].flatMap(({ top, category, ...bucket }) =>
        top.map((party) => ({ ...party, category, direction: bucket.direction, end: null, share: null })),
      );
      return { ...answered(answer, ofParties(answer)), rows };
    }
    case 'funds': {
      const answer = await call<AddressFunds>(apiPath`/graph/funds/${address}`, { query: { ...query, direction } });
      const rows = answer.rows.map((row) => ({ ...row, direction, end: row.kind === 'party' ? null : row.kind }));
      return { ...answered(answer, ofFunds(answer)), rows };
    }
    case 'terminals': {
      const answer = await call<Terminals>(apiPath`/exposure/${address}/terminals`, { query });
      const rows = answer.terminals.map((row) => ({ ...row, direction: 'sent' as const, end: null, share: null }));
      return { ...answered(answer, ofTerminals(answer)), rows };
    }
    case 'flow-path': {
      const pair = { from_address: address, to_address: second, chain, to_chain: secondChain };
      const body = { ...pair, max_hops: hops, cypher: 'on' };
      const answer = await call<FlowPaths>('/graph/flow-path', { method: 'POST', body });
      return ofWays(
        answer,
        answer.from_address,
        answer.paths.map((path) => path.hops),
      );
    }
    case 'relationship': {
      const body = { address_a: address, address_b: second, chain, chain_b: secondChain, cypher: 'on' };
      const answer = await call<Relationship>('/graph/relationship-check', { method: 'POST', body });
      return ofWays(answer, answer.address_a, answer.shortest_path ? [answer.shortest_path.hops] : []);
    }
  }
}

interface Answered {
  chain: string;
  note: string | null;
  cypher?: string;
}

function answered({ chain, address, note, cypher }: Answered & { address: string }, additions: Additions) {
  return { paths: [], note, cypher, drawn: { start: nodeKey(chain, address), additions } };
}

function ofWays(answer: Answered, address: string, paths: HopAnswer[][]): QuestionAnswer {
  return { ...answered({ ...answer, address }, ofPath(paths.flat())), rows: [], paths };
}

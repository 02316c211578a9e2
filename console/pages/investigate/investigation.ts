import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { goTo, linkTo } from '../../browser/route.ts';
import { answerLanguage } from '../../browser/words.ts';
import { addCounterparties, type GraphNode, type MoneyGraph, startGraph } from '../../graph/money-graph.ts';
import { apiPath, call } from '../../service/api.ts';
import { followScan } from '../../service/scan-address.ts';
import type { GraphCounterparties } from '../../service/tracing-answers.ts';

/** Counterparties drawn per expansion, and those searched for flows between drawn addresses. */
const DRAWN_MAX = 30;
const EXAMINED_MAX = 500;

type InvestigatedAddress = Pick<GraphNode, 'chain' | 'address'>;

export interface Investigation {
  chain: string;
  /** Address where it began. */
  start: string;
  graph: MoneyGraph;
  busy: boolean;
  error: Error | null;
  /** Adds an answer to the graph. */
  grow: (change: (graph: MoneyGraph) => MoneyGraph) => void;
  /** Runs one question at a time and keeps its refusal for display. */
  run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  expand: (node: InvestigatedAddress, drawnMax?: number) => Promise<void>;
  /** Reads an address from its chain, then expands it. */
  read: (node: InvestigatedAddress) => Promise<void>;
  /** Draws the flows between addresses that are on the canvas. */
  connect: (addresses: string[], signal: AbortSignal) => Promise<void>;
}

/** The graph of one canvas and the questions that extend it. */
export function useInvestigation(chain: string, start: string): Investigation {
  const [graph, setGraph] = useState(() => startGraph(chain, start));
  const newest = useRef(graph);
  newest.current = graph;
  // The canvas begins with a question.
  const [busy, setBusy] = useState(true);
  const [error, setError] = useState<Error | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  const run = useCallback(async (work: (signal: AbortSignal) => Promise<void>) => {
    const { signal } = abort.current;
    setBusy(true);
    setError(null);
    await work(signal).catch((refused: Error) => signal.aborted || setError(refused));
    if (!signal.aborted) setBusy(false);
  }, []);

  const neighbours = (place: InvestigatedAddress, limit: number, signal: AbortSignal) =>
    call<GraphCounterparties>(apiPath`/graph/counterparties/${place.address}`, {
      query: { chain: place.chain, limit },
      signal,
    });

  const draw = async (place: InvestigatedAddress, drawnMax: number, signal: AbortSignal) => {
    const answer = await neighbours(place, drawnMax, signal);
    // The start as it was typed; answers use the canonical form.
    if (place.address === start && answer.address !== start) goTo(linkTo('investigate', [chain, answer.address]));
    else setGraph((before) => addCounterparties(before, answer));
  };

  const expand = (place: InvestigatedAddress, drawnMax = DRAWN_MAX) => run((signal) => draw(place, drawnMax, signal));

  const read = ({ chain, address }: InvestigatedAddress) =>
    run(async (signal) => {
      await followScan({ chain, address, lang: answerLanguage(), fresh: false, trace: 'off' }, () => {}, signal);
      await draw({ chain, address }, DRAWN_MAX, signal);
    });

  const connect = async (addresses: string[], signal: AbortSignal) => {
    const wanted = new Set(addresses);
    for (const node of newest.current.nodes.values()) {
      if (!wanted.has(node.address)) continue;
      const answer = await neighbours(node, EXAMINED_MAX, signal);
      setGraph((before) => addCounterparties(before, answer, true));
    }
  };

  return { chain, start, graph, busy, error, grow: setGraph, run, expand, read, connect };
}

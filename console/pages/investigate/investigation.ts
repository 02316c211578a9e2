import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { addCounterparties, type MoneyGraph, startGraph } from '../../graph/money-graph.ts';
import { call } from '../../service/api.ts';
import { scanAddress } from '../../service/scan-address.ts';
import type { GraphCounterparties } from '../../service/tracing-answers.ts';
import { language } from '../../texts/language.ts';

/** Counterparties that one expansion draws, and those that are looked through for flows among drawn addresses. */
const DRAWN_MAX = 30;
const EXAMINED_MAX = 500;

export interface Investigation {
  chain: string;
  start: string;
  graph: MoneyGraph;
  busy: boolean;
  error: Error | null;
  /** Changes the graph by what an answer holds. */
  grow: (change: (graph: MoneyGraph) => MoneyGraph) => void;
  /** Runs one question at a time and keeps its refusal for display. */
  run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  expand: (address: string, drawnMax?: number) => Promise<void>;
  /** Reads an address from its chain, then expands it. */
  read: (address: string) => Promise<void>;
  /** Draws the flows between addresses that are on the canvas. */
  connect: (addresses: string[], signal: AbortSignal) => Promise<void>;
}

/** The graph of one canvas and the questions that extend it. */
export function useInvestigation(chain: string, start: string): Investigation {
  const [graph, setGraph] = useState(() => startGraph(start));
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

  const neighbours = (address: string, limit: number, signal: AbortSignal) =>
    call<GraphCounterparties>(`/graph/counterparties/${address}`, { query: { chain, limit }, signal });

  const expand = (address: string, drawnMax = DRAWN_MAX) =>
    run(async (signal) => {
      const answer = await neighbours(address, drawnMax, signal);
      setGraph((before) => addCounterparties(before, answer));
    });

  const read = (address: string) =>
    run(async (signal) => {
      await scanAddress({ chain, address, lang: language.value, fresh: false, trace: 'off' }, () => {}, signal);
      const answer = await neighbours(address, DRAWN_MAX, signal);
      setGraph((before) => addCounterparties(before, answer));
    });

  const connect = async (addresses: string[], signal: AbortSignal) => {
    for (const address of addresses) {
      const answer = await neighbours(address, EXAMINED_MAX, signal);
      setGraph((before) => addCounterparties(before, answer, true));
    }
  };

  return { chain, start, graph, busy, error, grow: setGraph, run, expand, read, connect };
}

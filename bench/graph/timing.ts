import type { Asked } from './rivals.ts';

/** What one question cost, asked of many addresses. */
export interface Measured {
  engine: string;
  question: string;
  /** Milliseconds of each. */
  times: number[];
  note: string;
}

/** Rivals that cannot answer in ten seconds are asked this often, not thirty times. */
const TIMEOUTS_MAX = 2;

export async function timed<T>(
  engine: string,
  question: string,
  items: T[],
  ask: (item: T) => Promise<unknown>,
): Promise<Measured> {
  const [measured] = await timedInTurn(engine, { [question]: ask }, items);
  return measured!;
}

/**
 * Asks all questions about one item before the next item, so that whatever else the machine does slows each of them.
 * Keeps the second round: caches and compilers are warm then, as in a service.
 */
export async function timedInTurn<T>(
  engine: string,
  questions: Record<string, (item: T) => Promise<unknown>>,
  items: T[],
): Promise<Measured[]> {
  const measured = Object.keys(questions).map(
    (question): Measured => ({ engine, question, times: [], note: `${items.length} asked` }),
  );
  for (let round = 0; round < 2; round++) {
    for (const one of measured) one.times = [];
    for (const item of items) {
      for (const { question, times } of measured) {
        const startedAt = performance.now();
        await questions[question]?.(item);
        times.push(performance.now() - startedAt);
      }
    }
  }
  return measured;
}

/** The same for what may be too slow, with its answers by key; compares them with the expected ones, where it answers. */
export async function timedRival(
  [engine, question]: [string, string],
  keys: string[],
  ask: Asked,
  expected?: Map<string, unknown[]>,
): Promise<{ measured: Measured; answers: Map<string, unknown[]> }> {
  const answers = new Map<string, unknown[]>();
  let times: number[] = [];
  let late = 0;
  for (let round = 0; round < 2 && late === 0; round++) {
    times = [];
    for (const key of keys) {
      const startedAt = performance.now();
      const answer = await ask(key).catch(nullWhereLate);
      times.push(performance.now() - startedAt);
      if (answer !== null) answers.set(key, answer);
      else if (++late >= TIMEOUTS_MAX) break;
    }
  }
  const compared = expected ? [...answers].filter(([key]) => expected.has(key)) : [];
  const differ = compared.filter(([key, answer]) => JSON.stringify(answer) !== JSON.stringify(expected?.get(key)));
  const notes = [
    expected ? `${differ.length} of ${compared.length} answers differ` : '',
    late > 0 ? `${late} of ${times.length} gave up after 10 s` : '',
  ];
  return { measured: { engine, question, times, note: notes.filter(Boolean).join('; ') }, answers };
}

function nullWhereLate(error: Error): null {
  if (/timeout|timed out|terminated|interrupted|memory/i.test(`${error.message}${error.cause ?? ''}`)) return null;
  throw error;
}

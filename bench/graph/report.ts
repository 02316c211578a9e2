import { median, ms, percentile, table } from '../table.ts';
import type { Measured } from './timing.ts';

/** A goal of the project, and what became of it: a figure and the most it may be. */
interface Target {
  what: string;
  figure: number | null;
  most: number;
  unit: string;
}

/** p50 and p95 of every question, and of those that have one the ratio to the bare statement of the same engine. */
export function reportTimes(measured: Measured[]): void {
  const rows = measured.map(({ engine, question, times, note }) => {
    const hops = /^exposure (\d) hops without patterns/.exec(question)?.[1];
    const bare = hops && p50(measured, engine, bareQuestion(hops));
    const ratio = bare ? `${(median(times) / bare).toFixed(2)} × bare` : '';
    return [engine, question, ms(median(times)), ms(percentile(times, 0.95)), ratio, note];
  });
  table(['engine', 'question', 'p50', 'p95', 'ratio', ''], rows);
}

export function bareQuestion(hops: number | string): string {
  return `bare statement ${hops} hops`;
}

/** The table of the README: p50 / p95, the engines side by side. */
export function reportSummary(measured: Measured[]): void {
  const engines = [...new Set(measured.map(({ engine }) => engine))];
  const questions = [...new Set(measured.map(({ question }) => question))];
  const line = (cells: string[]) => console.log(`| ${cells.join(' | ')} |`);
  console.log();
  line(['p50 / p95', ...engines]);
  line(['---', ...engines.map(() => '---')]);
  for (const question of questions) {
    const cells = engines.map((engine) => {
      const times = find(measured, engine, question);
      return times ? `${ms(median(times))} / ${ms(percentile(times, 0.95))}` : '';
    });
    line([question, ...cells]);
  }
}

/** Which of the goals are met at this size; those of a full-sized graph only there. */
export function reportTargets(measured: Measured[], start: { ms: number; mib: number }, isFullSize: boolean): void {
  const own = (engine: string): Target[] => [
    ...[3, 5].flatMap((hops): Target[] => {
      const question = `exposure ${hops} hops over HTTP`;
      const bare = `exposure ${hops} hops without patterns over HTTP`;
      const ratio = quotient(p50(measured, engine, bare), p50(measured, engine, bareQuestion(hops)));
      const p95 = p95Of(measured, engine, question);
      return [
        { what: `${engine}: ${bare}, p50 against bare`, figure: ratio, most: 1.5, unit: '×' },
        { what: `${engine}: ${question}, p95`, figure: p95, most: 60, unit: 'ms' },
      ];
    }),
    ...['flow path found', 'flow path not found', 'relationship'].map((question): Target => {
      return { what: `${engine}: ${question}, p95`, figure: p95Of(measured, engine, question), most: 30, unit: 'ms' };
    }),
  ];
  const ahead = (engine: string): Target[] =>
    RIVALS.map(([rivalEngine, rival, hops]) => {
      const figure = quotient(p50(measured, engine, `exposure ${hops} hops`), p50(measured, rivalEngine, rival));
      return { what: `${engine}: exposure ${hops} hops against ${rival}`, figure, most: 1, unit: '×' };
    });
  const targets = ['Grafeo', 'Neo4j'].flatMap((engine) => [...own(engine), ...ahead(engine)]);
  if (isFullSize) {
    targets.push({ what: 'start on the graph file', figure: start.ms, most: 3_000, unit: 'ms' });
    targets.push({ what: 'memory after the start', figure: (start.mib * 2 ** 20) / 1e6, most: 800, unit: 'MB' });
  }
  reportGoals(targets);
}

/** Engine and name of what a user would write instead, and the hops of exposure that reach as far or farther. */
const RIVALS = [
  ['Neo4j', 'naive *1..3', 3],
  ['Neo4j', 'naive *1..4', 5],
  ['Neo4j', 'APOC expandConfig 3 hops', 3],
  ['Neo4j', 'APOC expandConfig 5 hops', 5],
  ['PostgreSQL', 'recursive SQL 3 hops', 3],
  ['PostgreSQL', 'recursive SQL 5 hops', 5],
] as const;

/** Prints what the questions cost on the larger graph against the smaller one. */
export function reportGrowth(small: Measured[], large: Measured[], times: number): void {
  const targets = small.map(({ engine, question }): Target => {
    const figure = quotient(p50(large, engine, question), p50(small, engine, question));
    return { what: `${engine}: ${question}`, figure, most: 1.3, unit: '×' };
  });
  console.log(`\np50 as the graph grows ${times} ×`);
  reportGoals(targets.filter(({ what }) => /exposure|terminals|flow path|relationship/.test(what)));
}

function reportGoals(targets: Target[]): void {
  const text = (value: number, unit: string) => `${value < 10 ? value.toFixed(2) : Math.round(value)} ${unit}`;
  const rows = targets.flatMap(({ what, figure, most, unit }) => {
    if (figure === null) return [];
    const verdict = figure <= most ? 'met' : `missed: ${(figure / most).toFixed(2)} × the target`;
    return [[what, text(figure, unit), `≤ ${text(most, unit)}`, verdict]];
  });
  console.log();
  table(['target', 'figure', 'goal', ''], rows);
}

function find(measured: Measured[], engine: string, question: string): number[] | null {
  const times = measured.find((one) => one.engine === engine && one.question === question)?.times;
  return times && times.length > 0 ? times : null;
}

function p50(measured: Measured[], engine: string, question: string): number | null {
  const times = find(measured, engine, question);
  return times && median(times);
}

function p95Of(measured: Measured[], engine: string, question: string): number | null {
  const times = find(measured, engine, question);
  return times && percentile(times, 0.95);
}

function quotient(figure: number | null, base: number | null): number | null {
  return figure === null || base === null ? null : figure / base;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChainServers } from '../../../fixtures/chain-servers/start.ts';
import { UNHURRIED } from '../../../fixtures/demo/start.ts';
import { load } from '../../../graph-loaders/load.ts';
import { claim, table } from '../../table.ts';
import { type Desk, openDesk, scan } from '../../tracing/desk.ts';
import { EVM_BUSINESS } from './evm-business.ts';
import { EVM_CRIMINAL } from './evm-criminal.ts';
import { EVM_INNOCENT } from './evm-innocent.ts';
import { EVM_LAUNDERING } from './evm-laundering.ts';
import { MORE_OTHER_CHAINS } from './more-other-chains.ts';
import { OTHER_CHAINS } from './other-chains.ts';
import { type Asked, makePatternWorld, type Pattern } from './pattern-world.ts';

const SEED = process.env.SEED ?? 'patterns-1';
const RIGHT = {
  innocent: ['UNKNOWN', 'LOW', 'MEDIUM'],
  suspect: ['MEDIUM', 'HIGH', 'CRITICAL'],
  criminal: ['HIGH', 'CRITICAL'],
};
const BLOCKS: Record<string, readonly Pattern[]> = {
  'EVM innocent': EVM_INNOCENT,
  'EVM criminal': EVM_CRIMINAL,
  'other chains': OTHER_CHAINS,
  'second EVM innocent': EVM_BUSINESS,
  'second EVM criminal': EVM_LAUNDERING,
  'second other chains': MORE_OTHER_CHAINS,
};

/**
 * Levels of addresses in invented patterns, each answered twice: from servers of sources, and from a file that is loaded whole.
 * Fails where more than one innocent of a block is HIGH, or more than one criminal is missed. `PATTERN` names one pattern or block.
 */
export async function benchPatterns(): Promise<void> {
  const wanted = process.env.PATTERN;
  const patterns = Object.entries(BLOCKS).flatMap(([block, members]) =>
    members.filter(({ name }) => !wanted || block.includes(wanted) || name.includes(wanted)),
  );
  const { world, asked, table: rows } = makePatternWorld(patterns, SEED);
  const known = { prices: world.prices, labels: world.labels };
  const chains = await startChainServers(world);
  const served = await openDesk({ ...known, env: { ...chains.env, ...UNHURRIED } });
  await judge('sources', served, asked);
  await served.ctx.close();
  await chains.close();
  const loaded = await openDesk({ ...known, env: UNHURRIED, chainSource: async () => null });
  await loadWhole(loaded, rows);
  await judge('file', loaded, asked);
  await loaded.ctx.close();
}

async function loadWhole({ ctx }: Desk, rows: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'traceflow-patterns-'));
  const input = join(folder, 'transfers.csv');
  await writeFile(input, rows);
  const report = await load({ source: 'transfers', input, whole: { fromStart: true } }, ctx);
  await rm(folder, { recursive: true });
  if (report.skipped > 0) throw new Error(`rows are skipped: ${JSON.stringify(report.errors.slice(0, 3))}`);
}

async function judge(way: string, desk: Desk, asked: readonly Asked[]): Promise<void> {
  const wrong: (Asked & { level: string; found: string })[] = [];
  for (const one of asked) {
    const { risk_level: level, detections } = await scan(desk, { chain: one.chain, address: one.address, trace: 'on' });
    if (RIGHT[one.kind].includes(level)) continue;
    const found = detections.map(({ detector_id, severity }) => `${detector_id} ${severity}`).join(', ');
    wrong.push({ ...one, level, found });
  }
  console.log(`\nanswers from ${way}, wrong ones:`);
  table(
    ['pattern', 'who', 'expected', 'level', 'detections'],
    wrong.map(({ pattern, name, kind, level, found }) => [pattern.name, name, kind, level, found]),
  );
  for (const [block, members] of Object.entries(BLOCKS)) {
    const of = (one: Asked, isInnocent: boolean) =>
      members.includes(one.pattern) && (one.kind === 'innocent') === isInnocent;
    for (const isInnocent of [true, false]) {
      const n = asked.filter((one) => of(one, isInnocent)).length;
      const count = wrong.filter((one) => of(one, isInnocent)).length;
      if (n === 0) continue;
      claim(
        `${block}, ${way}: at most one ${isInnocent ? 'innocent is HIGH' : 'criminal is missed'}`,
        count <= 1,
        `${count} of ${n}`,
      );
    }
  }
}

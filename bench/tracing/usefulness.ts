import { startChainServers } from '../../fixtures/chain-servers/start.ts';
import { OWN_STORIES, STORIES, type StoryLevel } from '../../fixtures/demo/levels.ts';
import type { World } from '../../fixtures/demo/model.ts';
import { makeWorld, roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { table } from '../table.ts';
import { openDesk, type ScanView, scan } from './desk.ts';
import { benchRonin } from './ronin.ts';

const CHAINS = ['ethereum', 'bitcoin', 'solana', 'tron', 'xrp'] as const;

/**
 * How much an analyst must do until the product says what it should: for each story of the demo world whether one scan
 * in an empty service gives the stated level and detections, and for a real theft how many cash-outs are named.
 */
export async function benchUsefulness(): Promise<void> {
  const world = makeWorld();
  const chains = await startChainServers(world);
  const rows: string[][] = [];
  let [asked, atOnce] = [0, 0];
  for (const chain of CHAINS) {
    for (const [story, parts] of Object.entries({ ...STORIES, ...OWN_STORIES[chain] })) {
      for (const [name, stated] of Object.entries(parts)) {
        const found = await scansNeeded(world, chains.env, { chain, story, name, stated });
        if (found === null) continue;
        asked += 1;
        if (found.scans === 1) atOnce += 1;
        else
          rows.push([
            chain,
            story,
            name,
            stated.level,
            found.first.risk_level,
            found.scans ? String(found.scans) : '-',
          ]);
      }
    }
  }
  await chains.close();
  console.log(
    `stories of the demo world, each asked in an empty service: ${atOnce} of ${asked} by one scan; the others:`,
  );
  table(['chain', 'story', 'who', 'stated', 'after one scan', 'scans needed'], rows);
  await benchRonin();
}

/** Null where the chain lacks the story; `scans` is null where all of the story's addresses do not suffice. */
async function scansNeeded(
  world: World,
  env: Record<string, string>,
  { chain, story, name, stated }: { chain: Chain; story: string; name: string; stated: StoryLevel },
): Promise<{ first: ScanView; scans: number | null } | null> {
  const roles = world.roles.filter((role) => role.chain === chain && role.story === story);
  if (!roles.some((role) => role.name === name)) return null;
  const { address } = roleOf(world, chain, story, name);
  const desk = await openDesk({ env, prices: world.prices, labels: world.labels });
  const ask = (one: string) => scan(desk, { chain, address: one, trace: 'on' });
  try {
    const first = await ask(address);
    if (shows(first, stated)) return { first, scans: 1 };
    let scans = 1;
    for (const other of roles) {
      if (other.address === address) continue;
      await ask(other.address);
      scans += 2;
      if (shows(await ask(address), stated)) return { first, scans };
    }
    return { first, scans: null };
  } finally {
    await desk.ctx.close();
  }
}

function shows({ risk_level, detections }: ScanView, stated: StoryLevel): boolean {
  const found = new Set(detections.map(({ detector_id, severity }) => `${detector_id} ${severity}`));
  return risk_level === stated.level && (stated.detections ?? []).every((one) => found.has(one));
}

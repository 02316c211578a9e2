import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { PLANTS } from '../../fixtures/anomaly/plants.ts';
import { economy } from '../../fixtures/levels/economy.ts';
import { AS_OF } from '../../fixtures/levels/planted.ts';
import { addToGroup } from '../../src/domain/group-by.ts';
import type { Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { seed } from '../setup/seed.ts';
import { PATTERN_PLANTS } from './patterns/plants.ts';

import { allPatterns, surroundings } from './surroundings.ts';
import { DAY } from './world.ts';

type World = ReturnType<typeof economy>;
type Actor = World['actors'][number];

/** Owners of addresses; with their deposit addresses about twice as many are judged. */
const OWNERS = Number(process.env.OWNERS ?? 150);
const PLANTED = 20;
const world = economy(seed, OWNERS);
/** Owners that rates of a few in a hundred need: one company that pays many of a small world moves its rate by percents. */
const OWNERS_FOR_RATES = 600;
/** Other chances than the economy drew: an address must not come twice. */
const another = () => new Dice(seed ^ 0x5bd1e995);
console.log(`an economy of ${OWNERS} owners and ${world.transfers.length} transfers`);

function byParty(transfers: readonly Transfer[]): Map<string, Transfer[]> {
  const found = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    for (const party of new Set([transfer.from, transfer.to])) {
      addToGroup(found, party, transfer);
    }
  }
  return found;
}

function detectionsOf(
  address: string,
  transfers: readonly Transfer[],
  labelOf = labelsIn(world),
): { id: string; severity: string }[] {
  const { detections } = assess({
    subject: { chain: 'ethereum', address, labels: [], addressType: 'wallet' },
    transfers: [...transfers],
    labelsOf: (party) => labelOf.get(party) ?? [],
    coverage: { complete: true, sources: ['test'], reasons: [], historyRead: true },
    asOf: AS_OF,
    lang: 'en',
  });
  return detections.map(({ detector_id, severity }) => ({ id: detector_id, severity }));
}

function labelsIn({ labels }: World): ReadonlyMap<string, Label[]> {
  return new Map(labels.map((one) => [one.address, [one]]));
}

/** Half of the plants go to addresses with a life of their own, half to new ones. */
function subjects(dice: Dice): { subject: string; isNew: boolean; start: number }[] {
  const alive = world.actors.filter(({ kind }) => kind === 'person');
  return Array.from({ length: PLANTED }, (_, n) => {
    const isNew = n % 2 === 0;
    const subject = isNew ? dice.address() : alive[Math.floor((n * alive.length) / PLANTED)]!.address;
    return { subject, isNew, start: AS_OF - dice.int(60, 150) * DAY };
  });
}

describe.each(Object.entries(PLANTS))('a planted %s', (id, plant) => {
  it(`is found on each of ${PLANTED} addresses of a dense economy`, () => {
    const own = byParty(world.transfers);
    const missed = subjects(another()).flatMap(({ subject, start, isNew }, n) => {
      const transfers = own.get(subject) ?? [];
      const usd = transfers.reduce((sum, transfer) => sum + (transfer.usd ?? 0), 0);
      const planted = plant(subject, start, seed + n, Math.max(1, (20 * usd) / 1_000));
      const found = detectionsOf(subject, [...transfers, ...planted]).some((detection) => detection.id === id);
      return found ? [] : [{ n, subject, isNew, planted: planted.length }];
    });
    expect(missed).toEqual([]);
  });
});

describe.each(Object.entries(PATTERN_PLANTS))('a planted %s over several addresses', (id, plant) => {
  it(`is found in the exposure of each of ${PLANTED} addresses of a dense economy`, { timeout: 300_000 }, async () => {
    const dice = another();
    const others = world.actors.filter(({ kind }) => kind !== 'deposit').map(({ address }) => address);
    const plants = subjects(dice).map(({ subject, isNew, start }) => {
      return { subject, isNew, transfers: plant({ subject, isNew, others }, start, dice) };
    });
    const all = [...world.transfers, ...plants.flatMap(({ transfers }) => transfers)];
    const { patternsAround, close } = await surroundings(all, world.labels);
    const missed: { subject: string; isNew: boolean; planted: number }[] = [];
    for (const { subject, isNew, transfers } of plants) {
      const found = (await patternsAround(subject)).some(({ pattern_id }) => pattern_id === id);
      if (!found) missed.push({ subject, isNew, planted: transfers.length });
    }
    await close();
    expect(missed).toEqual([]);
  });
});

describe('lawful dealings', () => {
  it('set off what launderers do at a rate that is printed, and hardly ever for a person', {
    timeout: 900_000,
  }, async () => {
    const actors: Actor[] = [];
    const alarms = new Map<string, Actor[]>();
    for (let n = 0; n * OWNERS < OWNERS_FOR_RATES; n++) {
      const lawful = n === 0 ? world : economy(seed + n, OWNERS);
      const [own, labelOf] = [byParty(lawful.transfers), labelsIn(lawful)];
      const patternsOf = allPatterns(lawful.transfers, lawful.labels);
      for (const actor of lawful.actors) {
        const transfers = own.get(actor.address);
        if (!transfers) continue;
        actors.push(actor);
        const ids = detectionsOf(actor.address, transfers, labelOf).map(({ id, severity }) => `${id} ${severity}`);
        const patterns = (await patternsOf(actor.address)).map(({ pattern_id }) => `pattern ${pattern_id}`);
        for (const id of new Set([...ids, ...patterns])) addToGroup(alarms, id, actor);
      }
    }
    console.log(rateTable(actors, alarms));
    const persons = actors.filter(({ kind }) => kind === 'person').length;
    for (const [id, found] of alarms) {
      if (!STRUCTURAL.test(id)) continue;
      const share = found.filter(({ kind }) => kind === 'person').length / persons;
      expect([id, share <= (MORE[id] ?? 0.03)]).toEqual([id, true]);
    }
    for (const [id, most] of Object.entries({ peel_chain: 0, scatter_gather: 0.01, cycle: 0.01 })) {
      expect([id, (alarms.get(`pattern ${id}`)?.length ?? 0) <= most * actors.length]).toEqual([id, true]);
    }
  });
});

/** Among the thousands of payments of a shop or a company some are by chance what a receipt of the day was. */
const MORE: Record<string, number> = { 'pattern relay_chain': 0.15 };

const STRUCTURAL =
  /^(pattern|fan_in|fan_out|rapid_distribution|gather_scatter|pass_through|cycle|peel_chain|wash_trading|structuring)/;

/** Per hundred addresses of each kind. */
function rateTable(actors: readonly Actor[], alarms: ReadonlyMap<string, readonly Actor[]>): string {
  const kinds = [...new Set(actors.map(({ kind }) => kind))].sort();
  const count = (list: readonly Actor[], kind: string) => list.filter((actor) => actor.kind === kind).length;
  const rows = [...alarms].sort().map(([id, found]) => {
    const shares = kinds.map((kind) => (100 * count(found, kind)) / count(actors, kind));
    return [id, ...[...shares, (100 * found.length) / actors.length].map((share) => share.toFixed(1))];
  });
  const head = ['of 100', ...kinds, 'all'];
  const counts = ['addresses', ...kinds.map((kind) => String(count(actors, kind))), String(actors.length)];
  return [head, counts, ...rows]
    .map(([first, ...rest]) => first!.padEnd(34) + rest.map((cell) => cell.padStart(11)).join(''))
    .join('\n');
}

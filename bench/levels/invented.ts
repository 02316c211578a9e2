import { ARCHETYPES } from '../../fixtures/levels/archetypes.ts';
import { economy } from '../../fixtures/levels/economy.ts';
import { MORE_ARCHETYPES } from '../../fixtures/levels/more-archetypes.ts';
import { at, HOUR_MS, Planted } from '../../fixtures/levels/planted.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { type Judged, levelOfParty, levelsOfTraced } from './judge.ts';

const SEED = Number(process.env.SEED ?? 20_261_122);
const ROUNDS = 20;
const OWNERS = 560;
export const ACTIVE = 1_000;
const FAR_WALLETS = 415;
const FAR_HOPS = 4;

/** A thousand active addresses in half a year of lawful dealings; exchanges alone are labelled. */
export function judgeLawful(): Judged[] {
  const { actors, transfers, labels } = economy(SEED, OWNERS);
  const planted = new Planted(SEED);
  planted.transfers.push(...transfers);
  planted.labels.push(...labels);
  const active = new Set(transfers.flatMap(({ from, to }) => [from, to]));
  return actors
    .filter(({ address }) => active.has(address))
    .slice(0, ACTIVE)
    .map(({ address, kind }) => ({ kind: `economy: ${kind}`, level: levelOfParty(planted, address) }));
}

/**
 * Wallets four and more hops behind invented thefts, found by tracing: each passes on nearly all of what it got, at least
 * 90 % of it stolen, the rest withdrawn from an exchange. The thefts and the exchange alone are labelled.
 */
export async function judgeFarWallets(): Promise<Judged[]> {
  const planted = new Planted(SEED);
  const { dice } = planted;
  const exchange = planted.labelled('exchange');
  const far: string[] = [];
  while (far.length < FAR_WALLETS) {
    let from = planted.labelled('theft');
    let [usd, when] = [dice.int(50_000, 5_000_000), at(dice.int(10, 200))];
    for (let hops = 1; hops <= dice.int(6, 10) && far.length < FAR_WALLETS; hops++) {
      const to = planted.someone();
      const lawful = dice.share() * 0.01 * usd;
      planted.move(exchange, to, lawful, when);
      when += dice.int(1, 40) * HOUR_MS;
      planted.move(from, to, usd, when);
      if (hops >= FAR_HOPS) far.push(to);
      usd = (usd + lawful) * (0.95 + 0.045 * dice.share());
      from = to;
    }
    planted.move(from, exchange, 0.9 * usd, when + HOUR_MS);
  }
  const levels = await levelsOfTraced(planted, far);
  return far.map((address) => ({ kind: 'invented theft, 4 to 10 hops', level: levels.get(address)! }));
}

/** Every archetype in twenty sizes, with noise. */
export function judgeArchetypes(): Judged[] {
  return [...ARCHETYPES, ...MORE_ARCHETYPES].flatMap(({ name, plant }) =>
    Array.from({ length: ROUNDS }, (_, round) => {
      const planted = new Planted(SEED + round);
      plant(planted);
      planted.noise();
      return { kind: name, level: assess(planted.input()).risk_level };
    }),
  );
}

import type { Dice } from '../../../fixtures/anomaly/dice.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { HOUR, transfer } from '../world.ts';

/** Whom a plant may involve beside the subject: addresses with a life of their own, and new ones. */
interface Cast {
  subject: string;
  /** The subject has no life of its own, so that it can be any part of a chain of new addresses. */
  isNew: boolean;
  others: readonly string[];
}

/** A pattern of random size, at or above its thresholds, from a moment on. */
type Plant = (cast: Cast, start: number, dice: Dice) => Transfer[];

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const between = (dice: Dice, low: number, high: number) => low + (high - low) * dice.share();
/** Not the subject: money that comes back to it makes another pattern. */
const anyone = ({ subject, others }: Cast, dice: Dice) => {
  const other = dice.pick(others);
  return dice.chance(0.5) && other !== subject ? other : dice.address();
};

/** Distinct parties in a row, the subject among the first `places` of them. */
function row(cast: Cast, dice: Dice, length: number, other: () => string, places = length): string[] {
  const parties = [...new Set(times(length + 3, other))].filter((party) => party !== cast.subject).slice(0, length - 1);
  parties.splice(dice.int(0, places - 1), 0, cast.subject);
  return parties;
}

export const PATTERN_PLANTS: Record<string, Plant> = {
  peel_chain: (cast, start, dice) => {
    const length = dice.int(5, 13);
    // An exposure of three hops sees three transfers back. Where the chain ended here, that were two addresses passed.
    const news = row(cast, dice, length, () => dice.address(), length - 1);
    const chain = cast.isNew ? news : [cast.subject, ...news.filter((party) => party !== cast.subject)];
    // However far along the chain the reading begins, it begins with enough.
    let [at, usd] = [start, between(dice, 1_000, 80_000) / 0.8 ** length];
    return times(chain.length - 1, (i) => {
      const [from, to] = [chain[i]!, chain[i + 1]!];
      const onward = transfer({ from, to, usd, at });
      const kept = between(dice, 0.8, 0.99);
      const peels = dice.int(1, 3);
      const rest = (usd * (1 - kept)) / peels;
      const last = at;
      at += dice.int(2, 70) * HOUR;
      usd *= kept;
      if (i === chain.length - 2) return [onward];
      // Later the address gets and spends other money.
      const later = [anyone(cast, dice), anyone(cast, dice)] as const;
      return [
        onward,
        ...times(peels, (n) => transfer({ from: to, to: anyone(cast, dice), usd: rest, at: last + (n + 1) * 60_000 })),
        transfer({ from: later[0], to, usd: usd / 4, at: last + HOUR }),
        transfer({ from: to, to: later[1], usd: usd / 5, at: last + 1.5 * HOUR }),
      ];
    }).flat();
  },

  scatter_gather: (cast, start, dice) => {
    const [here, end] = [cast.subject, dice.address()];
    const [from, to] = dice.chance(0.5) ? [here, end] : [end, here];
    const middles = [...new Set(times(dice.int(4, 18), () => anyone(cast, dice)))].filter((one) => one !== here);
    const each = between(dice, 1, 4) * (5_000 / 0.7 / Math.min(3, middles.length));
    const spanHours = dice.pick([20, 160, 700]) / 2;
    return middles.flatMap((middle) => [
      transfer({ from, to: middle, usd: each, at: start + dice.share() * spanHours * HOUR }),
      transfer({
        from: middle,
        to,
        usd: each * between(dice, 0.7, 1),
        at: start + (1 + dice.share()) * spanHours * HOUR,
      }),
    ]);
  },

  cycle: (cast, start, dice) => {
    const ring = row(cast, dice, dice.int(3, 6), () => anyone(cast, dice));
    const first = ring.indexOf(cast.subject);
    const around = [...ring.slice(first), ...ring.slice(0, first), cast.subject];
    let usd = between(dice, 1_000, 90_000);
    const step = (168 / (around.length - 1)) * HOUR;
    return times(around.length - 1, (i) => {
      const paid = transfer({ from: around[i]!, to: around[i + 1]!, usd, at: start + (i + 0.9 * dice.share()) * step });
      usd *= between(dice, 0.7, 1.04);
      return paid;
    });
  },

  relay_chain: (cast, start, dice) => {
    const length = dice.int(4, 11);
    const chain = row(cast, dice, length, () => anyone(cast, dice));
    // An exposure of three hops sees three transfers back: wherever the reading begins, it begins with enough.
    let [at, usd] = [start, between(dice, 1_000, 90_000) / 0.8 ** length];
    return times(chain.length - 1, (i) => {
      const paid = transfer({ from: chain[i]!, to: chain[i + 1]!, usd, at });
      at += between(dice, 0.1, 24) * HOUR;
      usd *= between(dice, 0.8, 1);
      return paid;
    });
  },
};

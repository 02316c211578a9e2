import { roundUsd } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { iso } from '../../domain/time.ts';
import type { TagParts } from '../../domain/tracing/answers.ts';
import type { Direction, FlowPortion } from '../../domain/tracing/flow-portion.ts';
import { apportion } from '../../domain/transfers/utxo.ts';
import { assetsOf, atTheParty } from '../engine/walk/evidence.ts';
import { usdOf } from './arrivals.ts';

const TAGS_MAX = 50;

/** The money at one address by tag; empty where no transfer bears one. */
export function tagParts(arrivals: readonly FlowPortion[], direction: Direction): TagParts {
  const carrying = arrivals.filter(({ fraction }) => fraction > 0);
  const side = direction === 'sent' ? 'destination' : 'source';
  const tagOf = ({ transfer }: FlowPortion) => atTheParty(transfer, direction).tags?.[side] ?? null;
  if (carrying.every((one) => tagOf(one) === null)) return {};
  const groups = [...groupBy(carrying, tagOf)].map(([tag, own]) => ({
    tag,
    own,
    usd: usdOf(own, direction),
  }));
  groups.sort((a, b) => b.usd - a.usd || (a.tag ?? -1) - (b.tag ?? -1));
  const { parts } = exactly(
    groups.reduce((sum, { usd }) => sum + usd, 0),
    groups.map(({ usd }) => usd),
  );
  const tags = groups.slice(0, TAGS_MAX).map(({ tag, own }, i) => {
    const times = own.map(({ transfer }) => transfer.at);
    return {
      tag,
      usd: parts[i] as number,
      assets: assetsOf({ arrivals: own }, direction),
      transfers: new Set(own.map(({ transfer }) => transfer.id)).size,
      first_at: iso(times.reduce((least, at) => Math.min(least, at))),
      last_at: iso(times.reduce((most, at) => Math.max(most, at))),
    };
  });
  return { tags, tag_count: groups.length };
}

const MICRO = 1e6;
/** Weights have so many more digits than what is shown. */
const FINER = 1e3;

/** US dollars as answers show them: rounded so that the parts still add up to the total. */
export function exactly(totalUsd: number, partsUsd: readonly number[]): { total: number; parts: number[] } {
  const total = roundUsd(totalUsd);
  const weights = partsUsd.map((usd) => BigInt(Math.round(usd * MICRO * FINER)));
  const shares = apportion(BigInt(Math.round(total * MICRO)), weights);
  return { total, parts: shares.map((share) => Number(share) / MICRO) };
}

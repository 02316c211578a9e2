import { roundUsd } from '../../amount.ts';
import { apportion } from '../../transfers/utxo.ts';

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

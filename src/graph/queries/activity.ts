import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Graph, Row } from '../port.ts';

/** Transfers of an address that the graph holds; times in epoch ms. */
export interface KnownActivity {
  transfers: number;
  firstAt: number;
  lastAt: number;
}

/** Reads the addresses with a transfer, by key. */
export async function readActivity(
  graph: Graph,
  keys: readonly string[],
  timeoutMs: number,
): Promise<Map<string, KnownActivity>> {
  const rows = await graph.read('relationship/activity', { keys: [...keys] }, { timeoutMs });
  return new Map(
    rows.map((row) => [
      row.key as string,
      { transfers: row.transfers as number, firstAt: row.first_at as number, lastAt: row.last_at as number },
    ]),
  );
}

/** A payment to an address within a day of its first receipt. */
interface FirstDayPayment extends Row {
  key: string;
  usd: number | null;
  /** One of the first, by the payer who is asked for. */
  is_first: boolean;
  is_other: boolean;
  /** The chain's own coin, and its payer sent it himself. */
  is_own_coin: boolean;
}

/** Returns the first day of those parties that the payer paid before anybody else; only of those whose own history was read in full. */
export async function findFirstDays(
  graph: Graph,
  { chain, payer, parties }: { chain: Chain; payer: string; parties: readonly string[] },
  timeoutMs: number,
): Promise<FirstDayPayment[]> {
  if (parties.length === 0) return [];
  const keys = parties.map((party) => addressKey(chain, party));
  const params = { keys, payer: addressKey(chain, payer), day_ms: DAY_MS };
  return graph.read<FirstDayPayment>('scan/first-day', params, { timeoutMs });
}

import { LRUCache } from 'lru-cache';
import type { AccountState, ChainSource } from '../chains/port.ts';
import { addressKey } from '../domain/address/address-key.ts';
import { atMost } from '../domain/at-most.ts';
import { type Chain, EVM_CHAINS, isEvmChain } from '../domain/chain.ts';
import { iso, MINUTE_MS } from '../domain/time.ts';
import { GraphError, SourceError } from '../errors.ts';
import type { Graph } from '../graph/port.ts';
import { type KnownActivity, readActivity } from '../graph/queries/activity.ts';

/** An address on one chain, as the graph and its source know it. */
export interface ChainActivity {
  chain: Chain;
  /** Null where the graph holds no transfer of it. */
  known: { transfers: number; first_at: string; last_at: string } | null;
  /** Here and below, null where no source says so in time. */
  balance: string | null;
  nonce: number | null;
  is_contract: boolean | null;
}

export interface Activity {
  /** Returns the activity on every chain on which such an address can be. */
  of(chain: Chain, address: string, options: { account: string }): Promise<ChainActivity[]>;
}

interface Parts {
  graph: Graph;
  chainSource: (chain: Chain) => Promise<ChainSource | null>;
}

const KEPT_MS = 10 * MINUTE_MS;
const KEPT_MAX = 10_000;
/** Milliseconds for the graph and for all sources together. */
const TIME_MS = 3_000;

/** Looks an address up on its chains; what a source said is kept for ten minutes. */
export function openActivity({ graph, chainSource }: Parts): Activity {
  const kept = new LRUCache<string, AccountState>({ ...atMost(KEPT_MAX), ttl: KEPT_MS });

  /** Null where the source failed or was late: it is asked again the next time. */
  const ask = async (chain: Chain, address: string, account: string): Promise<AccountState | null> => {
    const key = addressKey(chain, address);
    const known = kept.get(key);
    if (known) return known;
    const source = await chainSource(chain);
    const signal = AbortSignal.timeout(TIME_MS);
    const found = await source?.account(address, { account, signal }).catch((error: unknown) => {
      if (error instanceof SourceError || signal.aborted) return null;
      throw error;
    });
    if (found) kept.set(key, found);
    return found ?? null;
  };

  return {
    async of(chain, address, { account }) {
      const chains = isEvmChain(chain) ? EVM_CHAINS : [chain];
      const keys = chains.map((one) => addressKey(one, address));
      const [inGraph, states] = await Promise.all([
        readActivity(graph, keys, TIME_MS).catch((error: unknown) => {
          if (error instanceof GraphError) return null;
          throw error;
        }),
        Promise.all(chains.map((one) => ask(one, address, account))),
      ]);
      return chains.map((one, place) => activityOn(one, inGraph?.get(keys[place]!), states[place]!));
    },
  };
}

function activityOn(chain: Chain, known: KnownActivity | undefined, state: AccountState | null): ChainActivity {
  return {
    chain,
    known: known ? { transfers: known.transfers, first_at: iso(known.firstAt), last_at: iso(known.lastAt) } : null,
    balance: state?.balance ?? null,
    nonce: state?.nonce ?? null,
    is_contract: state?.isContract ?? null,
  };
}

/** True where the address has moved something, holds coin, or is a contract. */
export function isActive({ known, balance, nonce, is_contract }: ChainActivity): boolean {
  return known !== null || (nonce ?? 0) > 0 || is_contract === true || (balance !== null && Number(balance) > 0);
}

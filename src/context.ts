import type { Logger } from 'pino';
import type { ChainSource } from './chains/port.ts';
import type { Config } from './config.ts';
import type { Chain } from './domain/chain.ts';
import type { Graph } from './graph/port.ts';
import type { LabelStore } from './labels/label-store.ts';
import type { Limits } from './limits/port.ts';
import type { Prices } from './prices/port.ts';
import type { Records } from './records/database.ts';

/** The ready collaborators of one process, built by hand and closed as one. */
export interface Context {
  config: Config;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
  records: Records;
  graph: Graph;
  labels: LabelStore;
  prices: Prices;
  limits: Limits;
  /** Null where no source is configured for the chain. */
  chainSource: (chain: Chain) => Promise<ChainSource | null>;
  close: () => Promise<void>;
}

/** A value that crosses the graph border; 64-bit integers arrive as numbers, amounts are strings. */
export type GraphValue = null | boolean | number | string | GraphValue[] | { [key: string]: GraphValue };
export type Params = Record<string, GraphValue>;
export type Row = Record<string, GraphValue>;

export interface WriteStep {
  /** Path of the statement below `cypher/`, without its ending: `exposure/open`. */
  statement: string;
  params: Params;
}

export interface QueryOptions {
  /** Ends the query with GraphTimeoutError. */
  timeoutMs?: number;
}

/** A caller's own Cypher with the values of its parameters. */
export interface CallerStatement {
  statement: string;
  params: Params;
}

/** How much one statement of a caller may take. */
export interface OwnBounds {
  timeoutMs: number;
  rowsMax: number;
  /** Size of the rows as JSON. */
  bytesMax: number;
}

export interface OwnAnswer {
  columns: string[];
  rows: GraphValue[][];
  /** A bound left rows out. */
  truncated: boolean;
}

export interface GraphTransaction {
  run<T extends Row = Row>(statement: string, params: Params): Promise<T[]>;
}

/** The graph database. Two adapters; the same Cypher text runs on both. Failures are GraphErrors. */
export interface Graph {
  readonly engine: 'grafeo' | 'neo4j';
  read<T extends Row = Row>(statement: string, params: Params, options?: QueryOptions): Promise<T[]>;
  /**
   * Runs a caller's own statement, which may only read. `keep` gets the end of one that the engine goes on with after its
   * time. Null where the engine cannot end a query.
   */
  runOwn:
    | ((own: CallerStatement, bounds: OwnBounds, keep: (ended: Promise<void>) => void) => Promise<OwnAnswer>)
    | null;
  /** All steps in one transaction, in order; retried as a whole on write conflicts. Rows of the last step. */
  write<T extends Row = Row>(steps: WriteStep[]): Promise<T[]>;
  /**
   * One write transaction; `work` runs again after a conflict, so it does nothing but run statements. It fails with the
   * first statement that failed, also where `work` goes on after it.
   */
  transact<T>(work: (tx: GraphTransaction) => Promise<T>): Promise<T>;
  /** Throws GraphError when the engine cannot be reached. */
  ping(): Promise<void>;
  /** Writes a copy of one moment into a new file; writes wait meanwhile. Null where the engine is a server. */
  copyTo: ((path: string) => Promise<void>) | null;
  close(): Promise<void>;
}

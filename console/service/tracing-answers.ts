import type { z } from 'zod';
import type { GraphCounterparties as Neighbours } from '../../src/routes/tracing/counterparties.ts';
import type { Terminals as Ends, Exposure } from '../../src/routes/tracing/exposure-schemas.ts';
import type { FlowPaths as Paths, Relationship as Related } from '../../src/routes/tracing/graph-schemas.ts';
import type { TraceResults as Traced, TraceRecord } from '../../src/routes/tracing/trace-schemas.ts';

/** The answers about money in the graph. */
export type GraphCounterparties = z.infer<typeof Neighbours>;
export type Exposures = z.infer<typeof Exposure>;
export type Terminals = z.infer<typeof Ends>;
export type FlowPaths = z.infer<typeof Paths>;
export type Relationship = z.infer<typeof Related>;
export type Trace = z.infer<typeof TraceRecord>;
export type TraceResults = z.infer<typeof Traced>;

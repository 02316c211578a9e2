import type { z } from 'zod';
import type { AddressProfileSchema } from '../../src/routes/tracing/address-profile.ts';
import type { GraphCounterpartiesSchema as Neighbours } from '../../src/routes/tracing/counterparties.ts';
import type { EntityOfSchema, EntitySchema } from '../../src/routes/tracing/entities.ts';
import type { TerminalsSchema as Ends, ExposureSchema } from '../../src/routes/tracing/exposure-schemas.ts';
import type { CaseFundsSchema, AddressFundsSchema as Funds } from '../../src/routes/tracing/funds-schemas.ts';
import type {
  FlowPathsSchema as Paths,
  RelationshipSchema as Related,
} from '../../src/routes/tracing/graph-schemas.ts';
import type { OpenedTransactionSchema } from '../../src/routes/tracing/open-transaction.ts';
import type { PairTransfersSchema } from '../../src/routes/tracing/pair-transfers.ts';
import type { TraceRecordSchema, TraceResultsSchema } from '../../src/routes/tracing/trace.ts';

/** The answers about money in the graph. */
export type GraphCounterparties = z.infer<typeof Neighbours>;
export type AddressProfile = z.infer<typeof AddressProfileSchema>;
export type EntityAnswer = z.infer<typeof EntitySchema>;
export type EntityOfAnswer = z.infer<typeof EntityOfSchema>;
export type Exposures = z.infer<typeof ExposureSchema>;
export type CaseFundsAnswer = z.infer<typeof CaseFundsSchema>;
export type AddressFunds = z.infer<typeof Funds>;
export type Terminals = z.infer<typeof Ends>;
export type FlowPaths = z.infer<typeof Paths>;
export type Relationship = z.infer<typeof Related>;
export type TraceJob = z.infer<typeof TraceRecordSchema>;
export type TraceResults = z.infer<typeof TraceResultsSchema>;
export type OpenedTransaction = z.infer<typeof OpenedTransactionSchema>;
export type PairTransfers = z.infer<typeof PairTransfersSchema>;

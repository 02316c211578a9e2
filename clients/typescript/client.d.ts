import type { Client, ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export interface TraceflowOptions extends Omit<ClientOptions, 'baseUrl' | 'headers'> {
  /** Where the service listens, without `/api/v1`: `https://screen.example.org`. */
  baseUrl: string;
  /** `tfk_…` */
  apiKey: string;
  headers?: Record<string, string>;
}

/** One method per HTTP verb; paths, parameters, bodies and answers are typed. */
export type Traceflow = Client<paths>;

/** The named parts of the API: `Schemas['RiskVerdict']`, `Schemas['ScanResponse']`, … */
export type Schemas = components['schemas'];

/** A client that sends its key with each request. Refusals are answers (`error`), only a failed connection throws. */
export function createTraceflow(options: TraceflowOptions): Traceflow;

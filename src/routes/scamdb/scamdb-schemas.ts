import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { normalDomain } from '../../domain/domain-name.ts';
import { SCAM_SEVERITIES, SCAM_TYPES } from '../../domain/scam.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { timestamp } from '../schemas.ts';

const DESCRIPTION_LENGTH_MAX = 2_000;
const URL_LENGTH_MAX = 2_048;
const DOMAINS_MAX = 20;
const STOLEN_USD_MAX = 1e12;

export const type = z.enum(SCAM_TYPES);
/** Any case, as the level names of other answers are upper case and people type lower. */
export const severity = z.preprocess(
  (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  z.enum(SCAM_SEVERITIES),
);

export const ScamEntry = z
  .object({
    id: z.guid(),
    address: z.string(),
    chains: z.array(z.enum(CHAINS)),
    type,
    severity: z.enum(SCAM_SEVERITIES),
    domains: z.array(z.string()).meta({ description: 'At most 100 of `domain_count`' }),
    domain_count: z.int(),
    method: z.string(),
    total_stolen_usd: z.number(),
    verified: z.boolean().meta({ description: 'False once no list and no verified report names the address' }),
    sources: z.array(z.string()),
    first_seen: timestamp,
    last_seen: timestamp.meta({ description: 'When a source last came, went or said otherwise' }),
    history: z.array(
      z.object({
        at: timestamp,
        action: z.enum(['listed', 'delisted', 'verified', 'rejected']),
        source: z.string(),
        reason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ScamEntry' });

export const ScamLookup = z
  .object({
    found: z.boolean(),
    entry: ScamEntry.nullable(),
    match_type: z.enum(['exact', 'normalized', 'domain']).nullable(),
  })
  .meta({ id: 'ScamLookup' });

export const ScamPage = z
  .object({ entries: z.array(ScamEntry), total: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'ScamPage' });

export const ScamSearch = z
  .object({ results: z.array(ScamEntry), total: z.int(), query: z.string() })
  .meta({ id: 'ScamSearch' });

const counts = z.record(z.string(), z.int());
export const ScamStats = z
  .object({
    total_entries: z.int(),
    verified_entries: z.int(),
    by_type: counts,
    by_severity: counts,
    by_chain: counts.meta({ description: 'An EVM address that is listed for all eight chains counts on each' }),
    total_stolen_usd: z.number(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'ScamStats' });

const domain = z
  .string()
  .refine((text) => normalDomain(text) !== null, 'Input should be a valid domain')
  .transform((text) => normalDomain(text)!);

export const ScamReportBody = z.object({
  address: z.string(),
  chain: chainText.nullish(),
  type,
  description: z
    .string()
    .trim()
    .min(1)
    .max(DESCRIPTION_LENGTH_MAX)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'String should not have control characters'),
  domains: z.array(domain).max(DOMAINS_MAX).nullish(),
  evidence_url: z
    .url({ protocol: /^https?$/ })
    .max(URL_LENGTH_MAX)
    .nullish(),
  stolen_usd: z.number().min(0).max(STOLEN_USD_MAX).nullish(),
});

import { z } from 'zod';
import { HopSchema } from '../domain/tracing/answers.ts';
import { RISK_LEVELS, SEVERITIES } from './detection.ts';

/** Fields of an address and its risk in answers and events, each with the words by which the API documents it. */

export const RiskLevelSchema = z.enum(RISK_LEVELS).meta({
  id: 'RiskLevel',
  description:
    '`CRITICAL` from a score of 85, `HIGH` from 60, `MEDIUM` from 30, else `LOW`; `UNKNOWN`: too little is known',
});
export const riskScore = z.int().describe('0 to 100; 100 is the highest risk');
export const scoreSemantics = z.literal('risk_0to100').describe('What scores mean: 0 to 100, 100 is the highest risk');
export const SeveritySchema = z
  .enum(SEVERITIES)
  .meta({ id: 'Severity', description: 'How grave one finding is by itself' });

export const LaunderingPatternSchema = z
  .object({
    pattern_id: z.string().describe('Stable name of the pattern'),
    name: z.string().describe('The same for people, in the language of `lang`'),
    severity: SeveritySchema,
    description: z.string().describe('What was found, in the language of `lang`'),
    usd: z.number().describe('US dollars that the pattern moved'),
    evidence: z.array(HopSchema).describe('Its transfers, oldest first'),
  })
  .meta({ id: 'LaunderingPattern', description: 'A shape that several addresses form' });

export type LaunderingPattern = z.infer<typeof LaunderingPatternSchema>;

import { z } from 'zod';
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

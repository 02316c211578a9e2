import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address } from '../../domain/fields.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { getRiskSettings, putRiskSettings } from '../../questions/account/risk-settings.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import type { WhitelistEntry } from '../../records/accounts/risk-settings.ts';
import { FAMILY_WEIGHT, type Family } from '../../risk/rules.ts';
import { givenAddress } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';

const WHITELIST_MAX = 1_000;
const NOTE_LENGTH_MAX = 200;

const families = Object.keys(FAMILY_WEIGHT) as [Family, ...Family[]];
const factor = z.number().min(0).max(2).optional();
const Weights = z
  .strictObject(
    Object.fromEntries(families.map((family) => [family, factor.describe(`Factor for \`${family}\``)])) as Record<
      Family,
      typeof factor
    >,
  )
  .meta({ description: 'Factors on the weight of each family of detections; 1 is the rule set, left out is 1' });

const note = z
  .string()
  .trim()
  .max(NOTE_LENGTH_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'String should not have control characters');

const TrustedAddressSchema = z
  .object({ chain: z.enum(CHAINS), address, note: z.string().describe('Your own words; empty without any') })
  .meta({ id: 'TrustedAddress' });

const strictness = 'Any amount sent to a sanctioned party is CRITICAL, 1 USD or more received from one HIGH';

const RiskSettingsSchema = z
  .object({
    whitelist: z.array(TrustedAddressSchema).describe('Addresses that you trust, each once'),
    weights: Weights,
    strict_sanctions: z.boolean().describe(strictness),
  })
  .meta({ id: 'RiskSettings' });

export async function riskSettingsRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/risk-settings',
    {
      config: { access: 'key', rights: ['admin'], feature: 'riskSettings' },
      schema: {
        operationId: 'getRiskSettings',
        tags: ['Account'],
        summary: "The account's whitelist, weights and strictness",
        response: { 200: RiskSettingsSchema },
      },
    },
    async (request) => getRiskSettings(ctx, tenantOf(request).accountId),
  );

  api.put(
    '/risk-settings',
    {
      config: {
        access: 'key',
        rights: ['admin'],
        feature: 'riskSettings',
      },
      schema: {
        operationId: 'putRiskSettings',
        tags: ['Account'],
        summary: 'Trust addresses and weigh families of detections',
        description:
          'Applied when answering your account alone, past scans included. A detection whose evidence lies wholly with ' +
          'trusted addresses is set aside; sanctions never are. Weights change the score of scans; the check before ' +
          'signing, which goes by the worst finding, heeds the whitelist alone. What is left out stays as it is.',
        body: z.object({
          whitelist: z
            .array(
              z.object({
                chain: chainText.nullish(),
                address: givenAddress,
                note: note.nullish().describe('Your own words; left out: empty'),
              }),
            )
            .max(WHITELIST_MAX)
            .optional()
            .describe('Replaces the whitelist; left out: it stays'),
          weights: Weights.optional(),
          strict_sanctions: z.boolean().optional().describe(`${strictness}; left out: as it is`),
        }),
        response: { 200: RiskSettingsSchema, ...refusals(400) },
      },
    },
    async (request) => {
      const { whitelist, ...settings } = request.body;
      const parsed = { ...settings, ...(whitelist && { whitelist: parseWhitelist(whitelist) }) };
      return putRiskSettings(ctx, tenantOf(request), parsed);
    },
  );
}

/** Parses the addresses; the last note of one named twice counts. Throws InvalidInputError for other text. */
function parseWhitelist(given: { chain?: string | null; address: string; note?: string | null }[]): WhitelistEntry[] {
  const entries = given.map(({ chain: wanted, address: text, note }): [string, WhitelistEntry] => {
    const { chain, address } = parseAddress(text, wanted);
    return [`${chain} ${address}`, { chain, address, note: note ?? '' }];
  });
  return [...new Map(entries).values()];
}

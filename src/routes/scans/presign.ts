import { z } from 'zod';
import type { Language } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { plainDecimal } from '../../domain/amount.ts';
import { decodeCalldata } from '../../domain/calldata/calldata.ts';
import { CHAINS, type Chain, isChain, NATIVE_COIN } from '../../domain/chain.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { openPresignCheck, type PresignQuestion } from '../../questions/check-presign.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { PRESIGN_SIGNALS, type PresignSignal } from '../../risk/presign/case.ts';
import { Lang } from './scan-schemas.ts';

/** Descriptions of the signals; a signal without a description does not compile. */
const SIGNALS: Record<PresignSignal, string> = {
  sanctioned: 'A party is under sanctions',
  delisted: 'A party was under sanctions once',
  scamdb_hit: 'The scam database lists a party',
  drainer: 'A party is labelled as a drainer',
  darknet: 'A party is labelled as a darknet market',
  mixer: 'A party is labelled as a mixer',
  malicious_contract: 'A party is labelled as a malicious contract',
  lookalike: 'A party looks like one that the signer paid before and is another',
  foreign_transfer: 'The calldata moves assets of another than the signer',
  payable_lure: 'The call takes coins and names nothing in return',
  unlimited_approval: 'The calldata approves an amount without a limit',
  operator_approval: 'The calldata lets a spender move every token of a collection',
  long_permit: 'The calldata signs a permit that can be used for long, or for ever',
  unknown_owner: 'The calldata moves assets of somebody, and no signer was named',
  control_change: 'The calldata changes who controls a contract or its code',
  revocation: 'The calldata takes an approval back',
  never_seen: 'Nothing is known of a party',
  undecodable: 'The calldata cannot be decoded in full',
  unsupported_chain: 'The chain is not supported',
  stores_unreadable: 'A store did not answer in time',
  terrorism: 'A party is labelled with the financing of terrorism',
  child_abuse: 'A party is labelled with child abuse material',
  theft: 'A party is labelled with a theft',
  ransomware: 'A party is labelled with ransomware',
  high_risk_exchange: 'A party is labelled as a high-risk exchange',
  scan_risk: 'The last scan of a party found a risk',
  exposure: 'A party has direct transfers with a risky party',
  sister_chain: 'The risk is of the same address on another chain',
  never_scanned: 'Nobody scanned a party that gets a large or unpriced amount',
  no_lists: 'No list of sanctions is loaded',
  lists_stale: 'A list of sanctions is older than twice its interval',
};

const signals = Object.fromEntries(
  PRESIGN_SIGNALS.map((name) => [name, z.boolean().describe(SIGNALS[name])]),
) as Record<PresignSignal, z.ZodBoolean>;

export const RiskVerdictSchema = z
  .object({
    level: z
      .enum(['critical', 'high', 'medium', 'low', 'unknown'])
      .describe('By the worst finding; `unknown` is never `ok`'),
    verdict: z
      .enum(['ok', 'caution', 'danger'])
      .describe('`danger`: do not sign unseen; `caution`: show the reasons and ask'),
    score: z.int().meta({ description: '0-100; 0 where the level is unknown' }),
    reasons: z.array(z.string()).meta({ description: 'Worst first; empty when clean' }),
    signals: z.object(signals).meta({ id: 'PresignSignals', description: 'What was found, by name' }),
    confidence: z.number().meta({
      description:
        'How sure the answer is: that of the label that decides it; 0.9 where the calldata does; 0.7 for a clean known address, 0.4 for one never seen, 0 where the level is unknown',
    }),
    chain: z.string().describe('As it was asked for, supported or not'),
    to: z.string().describe('The destination, in canonical form on a supported chain'),
    latency_ms: z.int().describe('Milliseconds that the check took'),
    cached: z.boolean().describe('True where a verdict of the last two minutes was given again'),
  })
  .meta({ id: 'RiskVerdict', description: 'Risks of a transaction before it is signed' });

const DESCRIPTION = `Has a rate limit of its own. Uses labels, the last scans, direct exposure in the graph and the calldata; no chain is asked. An address that a scan of the last 30 days rated HIGH or above is never \`ok\`; 1,000 USD or more in coins, or coins that cannot be priced, for an address that nobody scanned or labelled is \`caution\`.

\`danger\`: do not sign without a look at the reasons. \`caution\`: show the reasons and ask. The level \`unknown\` means an unsupported chain, calldata that cannot be decoded in full, or stores that cannot be read, and is never \`ok\`; whether to let it pass is the caller's choice. Calldata is read on the EVM chains and on TRON; EIP-712 messages are not calldata and are not read.

Verdicts without calldata and spender are cached for about two minutes, for your account alone, and never beyond a change of the labels or of an adverse score.`;

export async function presignRoutes(api: App, ctx: Context): Promise<void> {
  const checkPresign = openPresignCheck(ctx);
  api.get(
    '/public/presign/check',
    {
      config: {
        access: 'key',
        rights: ['scan'],
        bucket: 'presign',
      },
      schema: {
        operationId: 'checkPresign',
        tags: ['Scanning'],
        summary: 'Screen a destination or spender before signing',
        description: DESCRIPTION,
        querystring: z.object({
          chain: z.string().meta({
            description: `One of ${CHAINS.join(', ')}; any other value yields the level \`unknown\``,
            examples: ['ethereum'],
          }),
          to: z.string().meta({ description: 'Destination, or the contract that is called' }),
          value: z.string().optional().meta({ description: 'Coins that go along, in the smallest unit; 0x… is hex' }),
          data: z.string().optional().meta({ description: 'Calldata, 0x…' }),
          calldata: z
            .string()
            .optional()
            .meta({ description: 'The same as `data`, which counts where both are given' }),
          spender: z.string().optional().meta({ description: 'Who may take assets afterwards' }),
          kind: z.string().optional().meta({ description: "The caller's word for the transaction; changes nothing" }),
          signer: z
            .string()
            .optional()
            .meta({ description: 'Who signs: finds look-alike addresses and assets of others' }),
          asset: z.string().optional().meta({ description: 'Contract, mint or CURRENCY.issuer of the token' }),
          lang: Lang.default('en').meta({ description: 'Of the reasons' }),
        }),
        response: { 200: RiskVerdictSchema, ...refusals(400) },
      },
    },
    async (request) => checkPresign(parsePresign(request.query), tenantOf(request).accountId),
  );
}

/** As the caller sent it. */
interface PresignRequest {
  chain: string;
  to: string;
  value?: string;
  /** Calldata; `calldata` counts where it is missing or empty. */
  data?: string;
  calldata?: string;
  spender?: string;
  signer?: string;
  asset?: string;
  lang?: Language;
}

/**
 * Throws InvalidInputError for a malformed address of a supported chain.
 *
 * @internal
 */
export function parsePresign(request: PresignRequest): PresignQuestion {
  const { lang = 'en' } = request;
  const chain = request.chain.trim();
  if (!isChain(chain)) return { unsupported: chain || request.chain, to: request.to, lang };
  const address = (text: string | undefined) => (text?.trim() ? parseAddress(text, chain).address : null);
  const { address: to } = parseAddress(request.to, chain);
  const data = [request.data, request.calldata].map((text) => text?.trim() ?? '').find((text) => !isNothing(text));
  return {
    chain,
    to,
    spender: address(request.spender),
    signer: address(request.signer),
    asset: assetAddress(chain, request.asset),
    carriesValue: carriesValue(request.value),
    coins: coinsOf(chain, request.value),
    lang,
    calldata: data === undefined ? null : decodeCalldata(chain, data, to),
  };
}

function isNothing(calldata: string): boolean {
  return calldata === '' || /^0x$/i.test(calldata);
}

/** The contract, mint or issuer (`CURRENCY.issuer`) of the asset; null for a symbol or `native`. */
function assetAddress(chain: Chain, asset: string | undefined): string | null {
  return canonicalAddress(chain, asset?.split('.').at(-1) ?? '')?.address ?? null;
}

/** False only for an amount that is certainly zero; one that cannot be read may be some. */
function carriesValue(value: string | undefined): boolean {
  const text = value?.trim() ?? '';
  if (text === '' || /^0x0*$/i.test(text)) return false;
  return plainDecimal(text) !== '0';
}

/** Whole coins of an amount in the smallest unit; null where it cannot be read, as of `-1` or `0.5` units. */
function coinsOf(chain: Chain, value: string | undefined): number | null {
  const text = value?.trim() ?? '';
  const units = /^0x[0-9a-f]{1,64}$/i.test(text) ? String(BigInt(text)) : plainDecimal(text);
  return units === null || !/^\d+$/.test(units) ? null : Number(units) / 10 ** NATIVE_COIN[chain].decimals;
}

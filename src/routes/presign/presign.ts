import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import {
  type Judged,
  type PresignAnswer,
  type PresignCheck,
  readPresign,
} from '../../questions/presign/check-presign.ts';
import { PRESIGN_SIGNALS, type PresignSignal } from '../../risk/presign/case.ts';
import { chainText } from '../scans/scan-schemas.ts';

const signals = Object.fromEntries(PRESIGN_SIGNALS.map((name) => [name, z.boolean()])) as Record<
  PresignSignal,
  z.ZodBoolean
>;

export const RiskVerdict = z
  .object({
    level: z.enum(['critical', 'high', 'medium', 'low', 'unknown']),
    verdict: z.enum(['ok', 'caution', 'danger']),
    score: z.int().meta({ description: '0-100; 0 where the level is unknown' }),
    reasons: z.array(z.string()).meta({ description: 'Worst first; empty when clean' }),
    signals: z.object(signals),
    confidence: z.number().meta({
      description:
        'How sure the answer is: that of the label that decides it; 0.9 where the calldata does; 0.7 for a clean known address, 0.4 for one never seen, 0 where the level is unknown',
    }),
    chain: z.string(),
    to: z.string(),
    latency_ms: z.int(),
    cached: z.boolean(),
  })
  .meta({ id: 'RiskVerdict' });

const DESCRIPTION = `Costs no scan and has a rate bucket of its own. Rests on labels, on the graph and on the calldata; no chain is asked.

\`danger\`: do not sign without a look at the reasons. \`caution\`: show the reasons and ask. \`unknown\` as level means an unsupported chain, calldata that cannot be decoded in full, or stores that cannot be read, and is never \`ok\`; whether to let it pass is the caller's choice. Calldata is read on the EVM chains and on TRON; EIP-712 messages are not calldata and are not read.

Answers without calldata and spender are remembered for about two minutes, and never beyond a change of the labels that they rest on.`;

export const PRESIGN_PATH = '/public/presign/check';

export async function presignRoutes(api: App, presign: PresignCheck): Promise<void> {
  api.get(
    PRESIGN_PATH,
    {
      config: {
        access: 'presign',
        example: { query: { chain: 'ethereum', to: '0x28c6c06298d514db089934071355e5743bf21d60' } },
      },
      schema: {
        operationId: 'checkPresign',
        tags: ['Scanning'],
        summary: 'Screen a destination or spender before signing',
        description: DESCRIPTION,
        querystring: z.object({
          chain: chainText.meta({ description: 'Any other value yields the level `unknown`' }),
          to: z.string().meta({ description: 'Destination, or the contract that is called' }),
          value: z.string().optional().meta({ description: 'Coins that go along, in the smallest unit; 0x… is hex' }),
          data: z.string().optional().meta({ description: 'Calldata, 0x…' }),
          calldata: z
            .string()
            .optional()
            .meta({ description: 'The same as `data`, which counts where both are given' }),
          spender: z.string().optional().meta({ description: 'Who is to be allowed to take assets' }),
          kind: z.string().optional().meta({ description: "The caller's word for the transaction; changes nothing" }),
          signer: z.string().optional().meta({ description: 'Who is to sign: tells look-alikes and foreign assets' }),
          asset: z.string().optional().meta({ description: 'Contract, mint or CURRENCY.issuer of the token' }),
        }),
        response: { 200: RiskVerdict, ...refusals(400) },
      },
    },
    async (request, reply) => {
      const { accountId } = tenantOf(request);
      const known = await presign.again(request.url, accountId);
      const answer = known ?? (await presign.check(readPresign(request.query), accountId, request.url));
      return sendText(reply, writeVerdict(answer));
    },
  );
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}

/** By what was said: its part of the text, since a remembered answer is written many times. */
const written = new WeakMap<Judged, string>();

/** Writes the fields as the schema names them, which no schema walks once more: that would double their cost. */
export function writeVerdict({ judged, latencyMs, cached }: PresignAnswer): string {
  const known = written.get(judged) ?? JSON.stringify(judged).slice(0, -1);
  written.set(judged, known);
  return `${known},"latency_ms":${latencyMs},"cached":${cached}}`;
}

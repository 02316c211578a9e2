import { z } from 'zod';
import type { Context } from '../../context.ts';
import { METHODS } from '../../domain/tracing/rule.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { FUNDS_HOPS } from '../../tracing/answers/funds/funds-of.ts';
import { getCaseFunds } from '../../tracing/answers/funds/get-case-funds.ts';
import { getAddressFunds } from '../../tracing/answers/funds/get-funds.ts';
import { fundsOnPlan } from '../../tracing/answers/funds/plan-funds.ts';
import { FREEZES_MAX, whatIf } from '../../tracing/answers/funds/what-if.ts';
import { askGraph } from '../ask-graph.ts';
import { GroupSwitch } from '../entity-fields.ts';
import { givenAddress } from '../fields.ts';
import { chainText, Lang } from '../scans/scan-schemas.ts';
import { CaseParams, momentField, wholeNumber } from '../schemas.ts';
import { AddressFundsSchema, CaseFundsSchema, WhatIfSchema } from './funds-schemas.ts';
import { CypherSwitch, ENDS_BEFORE_START, endsAfterStart, spanQuery } from './tracing-fields.ts';

/** The query of questions about the account of the money. */
const fundsQuery = {
  direction: z
    .enum(['received', 'sent'])
    .default('sent')
    .describe('`sent`: where the money is; `received`: where it came from'),
  ...spanQuery,
  asset: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Symbol or token contract of the subject's own transfers that are followed"),
  min_usd: z.coerce.number().min(0).default(0).describe("Least US dollars of the subject's own transfers"),
  tx_hash: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .optional()
    .describe("One payment of the subject's own that alone is followed"),
  max_hops: wholeNumber({ min: 1, max: FUNDS_HOPS.max, fallback: FUNDS_HOPS.usual }).describe('Transfers to follow'),
  method: z
    .enum(METHODS)
    .default('pro_rata')
    .describe(
      'Which of mixed money goes on: `pro_rata` a part of each receipt, `fifo` the oldest first, `lifo` the newest first, ' +
        '`lowest_balance` the followed money last, `poison` touches all without an amount; `range`: all side by side',
    ),
  cypher: CypherSwitch.default('off'),
  lang: Lang.default('en').meta({ description: 'Of the texts of patterns and of the note' }),
};

const FreezeRequest = z.object({
  address: givenAddress,
  chain: chainText.nullish(),
  at: momentField.describe('From when on it could have sent nothing'),
});

const WhatIfBody = z.object({
  address: givenAddress.describe('Whose sent money is followed'),
  chain: chainText.nullish(),
  freeze: z
    .array(FreezeRequest)
    .min(1)
    .max(FREEZES_MAX)
    .describe('Addresses, each with its moment; no two are the same'),
  max_hops: z.int().min(1).max(FUNDS_HOPS.max).default(FUNDS_HOPS.usual).describe('Transfers to follow'),
});

const DESCRIPTION =
  'Rows that add up to all the money: labelled parties, wallets that still hold it, and where and why the way ends. ' +
  'Wallets one by one and `flows` from the Pro plan on, paths to exchanges, mixers and the like from Business on.';

/** The account of the money, of an address and of a case. */
export async function fundsRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/graph/funds/:address',
    {
      config: { views: 'address', turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getFunds',
        tags: ['Investigation'],
        summary: 'Where all money of an address is now, or came from',
        description: DESCRIPTION,
        params: z.object({ address: givenAddress }),
        querystring: z
          .object({ chain: chainText.optional(), ...fundsQuery, group: GroupSwitch.default('address') })
          .refine(endsAfterStart, ENDS_BEFORE_START),
        response: { 200: AddressFundsSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { chain, address } = parseAddress(request.params.address, request.query.chain);
      const tenant = tenantOf(request);
      const { group } = request.query;
      const asked = askedIn(request.query);
      const cypher = showsCypher(request.query, tenant);
      const found = await askGraph(ctx, request, { cypher }, (inquiry) =>
        getAddressFunds(inquiry, { chain, address, group, ...asked }),
      );
      return fundsOnPlan(found, tenant.plan, asked.lang);
    },
  );

  api.post(
    '/graph/what-if',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'], feature: 'heldWallets' },
      schema: {
        operationId: 'askWhatIf',
        tags: ['Investigation'],
        summary: 'What freezes would have kept of the money of an address (Pro)',
        description:
          'Replays where the money went as if each named address had sent nothing from its moment on, alone and all together. ' +
          'A replay of what happened, no forecast: what would have been done instead is not known.',
        body: WhatIfBody,
        response: { 200: WhatIfSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { address: given, chain: named, freeze, max_hops: maxHops } = request.body;
      const { chain, address } = parseAddress(given, named);
      const freezes = freeze.map((one) => ({ ...parseAddress(one.address, one.chain ?? chain), at: one.at }));
      return askGraph(ctx, request, {}, (inquiry) => whatIf(inquiry, { chain, address, freezes, maxHops }));
    },
  );

  api.get(
    '/cases/:case_id/funds',
    {
      config: { views: 'case', turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getCaseFunds',
        tags: ['Cases'],
        summary: 'Where all money of the subjects of a case is now, or came from',
        description: `The subjects count as one party, with \`group=entity\` together with all that their holders hold: what moves among them is left out. ${DESCRIPTION}`,
        params: CaseParams,
        querystring: z
          .object({ ...fundsQuery, group: GroupSwitch.default('address') })
          .refine(endsAfterStart, ENDS_BEFORE_START),
        response: { 200: CaseFundsSchema, ...refusals(404, 500) },
      },
    },
    async (request) => {
      const tenant = tenantOf(request);
      const { group } = request.query;
      const asked = askedIn(request.query);
      const cypher = showsCypher(request.query, tenant);
      const found = await askGraph(ctx, request, { cypher }, (inquiry) =>
        getCaseFunds(inquiry, tenant, request.params.case_id, { ...asked, group }),
      );
      return fundsOnPlan(found, tenant.plan, asked.lang);
    },
  );
}

type Query = z.output<z.ZodObject<typeof fundsQuery>>;

/** The parameters name wallets one by one. */
function showsCypher({ cypher }: Query, { plan }: Tenant): boolean {
  return cypher === 'on' && plan.heldWallets;
}

function askedIn({
  direction,
  from,
  to,
  asset,
  min_usd: minUsd,
  tx_hash: txHash,
  max_hops: maxHops,
  method,
  lang,
}: Query) {
  return { direction, from, to, asset, minUsd, txHash, maxHops, method, lang };
}

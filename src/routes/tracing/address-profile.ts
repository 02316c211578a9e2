import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CASE_ROLES, CASE_STATUSES } from '../../domain/case.ts';
import { CHAINS } from '../../domain/chain.ts';
import { ClaimedLabelSchema } from '../../domain/claimed-label.ts';
import { address, asset, CategorySchema, timestamp } from '../../domain/fields.ts';
import { callerOf } from '../../http/access.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { addressProfile } from '../../questions/graph/address-profile.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { windowStart } from '../../questions/scans/list-scans.ts';
import { inquire } from '../../tracing/read/inquiry.ts';
import { entity, GroupSwitch } from '../entity-fields.ts';
import { givenAddress } from '../fields.ts';
import { chainText } from '../scans/scan-schemas.ts';

const Moved = z
  .object({
    usd: z.number().describe('Of the priced ones'),
    transfers: z.int().describe('Number of transfers'),
    unpriced: z.int().describe('Those of them without a price'),
  })
  .meta({ id: 'MonthMoved', description: 'What moved one way in a month' });

export const AddressProfileSchema = z
  .object({
    address,
    chain: z.enum(CHAINS),
    entity,
    labels: z
      .array(
        z
          .object({
            address,
            chain: z.enum(CHAINS),
            label: z.string().describe('Name on the list'),
            category: CategorySchema,
            entity: z.string().nullable().describe('Owner, as the list names it'),
            source: z.string().describe('Who says so: the list; `own:…` for your account'),
            sure: z.boolean().describe('False for a mere report'),
            in_force: z.boolean().describe('False for what has ended, or has not begun'),
            valid_from: timestamp.nullable().describe('Since when it holds, as the list says; null: no day is stated'),
            valid_to: timestamp.nullable().describe('When it ended; null: it did not'),
            own: ClaimedLabelSchema.optional().describe('Of a label of your account; left out for others'),
          })
          .meta({ id: 'StatedLabel', description: 'A statement of one list, or of your account, about one address' }),
      )
      .describe('All that lists and your account say, what counts most first; also what ended'),
    balances: z
      .array(
        z
          .object({
            address,
            chain: z.enum(CHAINS),
            asset,
            amount: z.string().describe('Exact decimal'),
            at: timestamp.describe('Moment of the statement: what came or went later is not in it'),
          })
          .meta({ id: 'StatedBalance', description: 'What the chain said that an address holds' }),
      )
      .describe('The last statement on each asset, of addresses that your account has read; at most 100'),
    months: z
      .array(
        z
          .object({
            month: z.string().describe('`YYYY-MM`, in UTC'),
            received: Moved.describe('What came in'),
            sent: Moved.describe('What went out'),
          })
          .meta({ id: 'ActivityMonth' }),
      )
      .describe('Months with a transfer that the graph holds, oldest first; without what the holder pays itself'),
    months_truncated: z.boolean().describe('True where there are older transfers than were counted'),
    cases: z
      .array(
        z
          .object({
            id: z.guid().describe('The case'),
            title: z.string().describe('What it is about'),
            status: z.enum(CASE_STATUSES).describe('Status of the work'),
            role: z.enum(CASE_ROLES).describe('Part of the address in it'),
          })
          .meta({ id: 'HoldingCase' }),
      )
      .describe('Your cases that hold it, the last changed first'),
    boards: z
      .array(
        z
          .object({ id: z.guid().describe('The board'), title: z.string().describe('Its title') })
          .meta({ id: 'HoldingBoard' }),
      )
      .describe('Those of your 50 last saved boards that show it'),
    last_scan_id: z
      .guid()
      .nullable()
      .describe('Your newest scan of the address itself, from whatever source, within the history of your plan'),
  })
  .meta({ id: 'AddressProfile', description: 'What is known of an address without a scan' });

/** Answers what lists, chains and the account itself know of an address. */
export async function addressProfileRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/graph/profile/:address',
    {
      config: { views: 'address', turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getAddressProfile',
        tags: ['Investigation'],
        summary: 'Who says what of an address, what it held, and when it moved',
        description:
          'Labels with their lists, stated balances, money in and out by month, and which of your cases and boards hold it. ' +
          'With `group=entity` of its holder: of many addresses the 100 that moved most. Costs no scan.',
        params: z.object({ address: givenAddress }),
        querystring: z.object({ chain: chainText.optional(), group: GroupSwitch.default('address') }),
        response: { 200: AddressProfileSchema, ...refusals(400, 500) },
      },
    },
    async (request) => {
      const { chain, address } = parseAddress(request.params.address, request.query.chain);
      const { group } = request.query;
      const tenant = tenantOf(request);
      const inquiry = await inquire(ctx, tenant.accountId);
      const scannedFrom = windowStart(ctx, tenant);
      return ctx.graphQuestions.ask(callerOf(request), (graph) =>
        addressProfile({ ...inquiry, graph }, { chain, address, group, scannedFrom }),
      );
    },
  );
}

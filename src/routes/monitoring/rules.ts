import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ALERT_SEVERITIES } from '../../domain/alert.ts';
import { timestamp } from '../../domain/fields.ts';
import { RULE_BOUNDS, RULE_FACTS, RULE_MODES, RULE_OPERATORS, RULE_PRESETS } from '../../domain/rule-facts.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { cancelBacktest, getBacktest, startBacktest } from '../../questions/rules/backtest.ts';
import { changeRule, createRule, deleteRule, getRule, listRules } from '../../questions/rules/manage-rules.ts';
import { deleted } from '../fields.ts';
import { momentField, shortText, uuid } from '../schemas.ts';

const name = shortText(100).describe('Name of the rule; the title of its alerts');
const severity = z.enum(ALERT_SEVERITIES).describe('How grave its alerts are');
const mode = z.enum(RULE_MODES).describe('`test`: it raises alerts that ring nowhere; `active`; `off`');
const when = z
  .record(z.string(), z.unknown())
  .describe(
    'Groups `{all: […]}`, `{any: […]}`, `{not: …}` of `{fact, operator, value}`, over the facts of GET /rule-facts; at most ' +
      `${RULE_BOUNDS.conditions} conditions, ${RULE_BOUNDS.depth} deep`,
  );

const RuleSchema = z
  .object({
    id: z.guid().describe('Id of the rule'),
    name: z.string().describe('Its name'),
    mode,
    severity,
    version: z.int().describe('Grows with each change of what it says'),
    when,
    beyond: z.int().describe(`Matches that raised nothing: more than ${RULE_BOUNDS.alertsAnHour} in an hour`),
    created_at: timestamp.describe('When it was made'),
    updated_at: timestamp.describe('When it was last changed'),
  })
  .meta({ id: 'Rule', description: 'A rule of your own: it raises alerts, and changes no score or level' });

export const RulesSchema = z.object({ rules: z.array(RuleSchema).describe('As they were made') }).meta({ id: 'Rules' });

const RuleAnswer = z.object({ rule: RuleSchema }).meta({ id: 'RuleAnswer' });

export const RuleDetailSchema = z
  .object({
    rule: RuleSchema,
    versions: z
      .array(
        z
          .object({
            version: z.int().describe('Its number'),
            name: z.string().describe('The name then'),
            severity,
            when,
            author: z.string().describe('Name of the person or key'),
            created_at: timestamp.describe('When it was written'),
          })
          .meta({ id: 'RuleVersion' }),
      )
      .describe('All, oldest first'),
  })
  .meta({ id: 'RuleDetail' });

export const FactsSchema = z
  .object({
    facts: z
      .array(
        z
          .object({
            fact: z.string().describe('Its name'),
            type: z.enum(['text', 'number', 'boolean', 'list']).describe('Type of its value'),
            about: z.string().describe('What it says'),
            operators: z.array(z.string()).describe('How it may be compared'),
          })
          .meta({ id: 'RuleFact' }),
      )
      .describe('Everything that a rule may ask'),
    presets: z
      .array(
        z
          .object({
            id: z.string().describe('Id of the preset'),
            name: z.string().describe('Its name'),
            severity,
            when,
          })
          .meta({ id: 'RulePreset' }),
      )
      .describe('Rules to begin with; none is on'),
  })
  .meta({ id: 'RuleFacts' });

export const BacktestSchema = z
  .object({
    job_id: z.guid().describe('Id of the run'),
    rule_id: z.guid().describe('The rule'),
    rule_version: z.int().describe('The version that is run'),
    status: z
      .enum(['queued', 'running', 'completed', 'failed', 'stale'])
      .describe('`failed` where it was cancelled too'),
    from: timestamp.describe('The span of recorded scans'),
    to: timestamp.describe('Its end'),
    total: z.int().describe('Recorded scans in it'),
    scanned: z.int().describe('Those that were asked so far'),
    progress: z.number().describe('0 to 1'),
    matches: z.int().describe('Scans that match'),
    alerts: z.int().describe('Alerts that it would have raised: an address joins its open one'),
    most_in_an_hour: z
      .int()
      .describe(`Most matches of one hour; beyond ${RULE_BOUNDS.alertsAnHour} they are only counted`),
    dispositions: z
      .record(z.string(), z.int())
      .describe('How alerts about the same addresses turned out; `open` for those that are not closed'),
    examples: z
      .array(
        z
          .object({
            scan_id: z.guid().describe('For GET /public/scans/{scan_id}'),
            chain: z.string().describe('Its chain'),
            address: z.string().describe('The scanned address'),
            risk_level: z.string().describe('As it was recorded'),
            at: timestamp.describe('When it was scanned'),
          })
          .meta({ id: 'BacktestExample' }),
      )
      .describe('The first 20'),
    not_recorded: z.array(z.string()).describe('Facts of the rule that recorded scans do not hold: taken as unknown'),
    created_at: timestamp.describe('When it was asked for'),
    completed_at: timestamp.nullable().describe('When it ended; null before'),
    error_message: z.string().nullable().describe('Why it failed; null otherwise'),
  })
  .meta({ id: 'Backtest', description: 'A run of a rule over recorded scans' });

const tags = ['Rules'];
const params = z.object({ id: uuid.describe('Id of the rule') });
const runParams = params.extend({ job_id: uuid.describe('Id of the run') });
const runOf = ({ id, job_id }: { id: string; job_id: string }) => ({ ruleId: id, jobId: job_id });

export async function ruleRoutes(app: App, ctx: Context): Promise<void> {
  const read = { access: 'key', rights: ['read'] } as const;
  const write = { access: 'key', rights: ['monitor'] } as const;

  app.get(
    '/rule-facts',
    {
      config: read,
      schema: {
        operationId: 'listRuleFacts',
        tags,
        summary: 'What rules may ask, and rules to begin with',
        response: { 200: FactsSchema },
      },
    },
    async () => ({
      facts: Object.entries(RULE_FACTS).map(([fact, { type, about }]) => ({
        ...{ fact, type, about, operators: [...RULE_OPERATORS[type]] },
      })),
      presets: RULE_PRESETS.map((preset) => ({ ...preset, when: { ...preset.when } as Record<string, unknown> })),
    }),
  );

  app.get(
    '/rules',
    {
      config: read,
      schema: {
        operationId: 'listRules',
        tags,
        summary: 'The rules of the account',
        response: { 200: RulesSchema },
      },
    },
    async (request) => listRules(ctx, tenantOf(request)),
  );

  app.post(
    '/rules',
    {
      config: { ...write, idempotent: true },
      schema: {
        operationId: 'createRule',
        tags,
        summary: 'Write a rule of your own',
        description: 'Asked of every scan that is recorded. It changes no score and no level. At most 100 an account.',
        body: z.object({ name, when, severity: severity.default('medium'), mode: mode.default('test') }),
        response: { 201: RuleAnswer, ...refusals(400, 403) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createRule(ctx, tenantOf(request), request.body);
    },
  );

  app.get(
    '/rules/:id',
    {
      config: read,
      schema: {
        operationId: 'getRule',
        tags,
        summary: 'One rule with all its versions',
        params,
        response: { 200: RuleDetailSchema, ...refusals(404) },
      },
    },
    async (request) => getRule(ctx, tenantOf(request), request.params.id),
  );

  app.patch(
    '/rules/:id',
    {
      config: write,
      schema: {
        operationId: 'changeRule',
        tags,
        summary: 'Change a rule',
        description:
          'What it says makes a new version; the mode alone does not. Alerts name the version that raised them.',
        params,
        body: z.object({ name, when, severity, mode }).partial(),
        response: { 200: RuleAnswer, ...refusals(400, 404) },
      },
    },
    async (request) => changeRule(ctx, tenantOf(request), request.params.id, request.body),
  );

  app.delete(
    '/rules/:id',
    {
      config: write,
      schema: {
        operationId: 'deleteRule',
        tags,
        summary: 'Delete a rule',
        description: 'Its alerts stay.',
        params,
        response: {
          200: z.object({ deleted, id: z.guid().describe('Id of the rule') }).meta({ id: 'RuleDeleted' }),
          ...refusals(404),
        },
      },
    },
    async (request) => deleteRule(ctx, tenantOf(request), request.params.id),
  );

  app.post(
    '/rules/:id/backtest',
    {
      config: write,
      schema: {
        operationId: 'startBacktest',
        tags,
        summary: 'Run a rule over recorded scans',
        description: `Asks no chain, raises nothing and costs no scan. ${RULE_BOUNDS.runs} at once; one more gets 429.`,
        params,
        body: z.object({ from: momentField, to: momentField }),
        response: { 202: BacktestSchema, ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      reply.code(202);
      return startBacktest(ctx, tenantOf(request), request.params.id, request.body);
    },
  );

  app.get(
    '/rules/:id/backtest/:job_id',
    {
      config: read,
      schema: {
        operationId: 'getBacktest',
        tags,
        summary: 'Where a run of a rule stands, and what it found',
        params: runParams,
        response: { 200: BacktestSchema, ...refusals(404) },
      },
    },
    async (request) => getBacktest(ctx, tenantOf(request), runOf(request.params)),
  );

  app.delete(
    '/rules/:id/backtest/:job_id',
    {
      config: write,
      schema: {
        operationId: 'cancelBacktest',
        tags,
        summary: 'Cancel a run of a rule',
        params: runParams,
        response: { 200: BacktestSchema, ...refusals(404) },
      },
    },
    async (request) => cancelBacktest(ctx, tenantOf(request), runOf(request.params)),
  );
}

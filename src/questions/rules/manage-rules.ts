import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { AlertSeverity } from '../../domain/alert.ts';
import type { RuleCondition, RuleMode } from '../../domain/rule-facts.ts';
import { iso } from '../../domain/time.ts';
import { InvalidInputError } from '../../errors.ts';
import { lockAccount, withinStorage } from '../../records/accounts/accounts.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import { authorName } from '../../records/accounts/people.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { inTransaction } from '../../records/database/database.ts';
import {
  type CurrentRule,
  findRule,
  insertRule,
  listRuleRows,
  listRuleVersions,
  updateRule,
} from '../../records/monitoring/rules.ts';
import { parseCondition } from './evaluate.ts';

/** A rule as its client gives it; `when` is checked here. */
export interface GivenRule {
  name: string;
  when: unknown;
  severity: AlertSeverity;
  mode: RuleMode;
}

export async function listRules({ records }: Context, { accountId }: Tenant) {
  return { rules: (await listRuleRows(records, accountId)).map(ruleRecord) };
}

/** One rule with all its versions. Throws NotFoundError. */
export async function getRule({ records }: Context, { accountId }: Tenant, id: string) {
  const rule = ruleRecord(await findRule(records, accountId, id));
  const versions = (await listRuleVersions(records, id)).map(
    ({ version, name, severity, condition, author, created_at }) => ({
      ...{ version, name, severity, author, created_at: iso(created_at) },
      when: JSON.parse(condition) as Record<string, unknown>,
    }),
  );
  return { rule, versions };
}

/** Throws InvalidInputError, LimitError. */
export async function createRule(ctx: Context, tenant: Tenant, { name, when, severity, mode }: GivenRule) {
  const condition = JSON.stringify(parseCondition(when));
  const [id, now] = [randomUUID(), ctx.now()];
  return answerWithin(ctx.records, tenant, async (records) => {
    const rule = {
      ...{ id, account_id: tenant.accountId, name, mode, severity, version: 1, hour: 0, hour_alerts: 0, beyond: 0 },
      ...{ created_at: now, updated_at: now, deleted_at: null },
    };
    const author = await authorName(records, tenant.keyId);
    await insertRule(records, rule, { rule_id: id, version: 1, name, severity, condition, author, created_at: now });
    await insertAudit(records, { ...tenant, action: 'rule_created', subject: id, detail: `${name}: ${mode}` }, now);
    return { rule: ruleRecord({ ...rule, condition }) };
  });
}

/** A change of what it says makes a new version; a change of mode alone does not. Throws NotFoundError, InvalidInputError, LimitError. */
export async function changeRule(ctx: Context, tenant: Tenant, id: string, given: Partial<GivenRule>) {
  if (Object.values(given).every((value) => value === undefined)) throw new InvalidInputError('No fields to update');
  const now = ctx.now();
  return withinStorage(ctx.records, tenant.accountId, async (records) => {
    const before = await findRule(records, tenant.accountId, id);
    const condition = given.when === undefined ? before.condition : JSON.stringify(parseCondition(given.when));
    const { name = before.name, severity = before.severity, mode = before.mode } = given;
    const says = (rule: { name: string; severity: string; condition: string }) =>
      JSON.stringify([rule.name, rule.severity, rule.condition]);
    const isSame = says(before) === says({ name, severity, condition });
    const version = isSame ? before.version : before.version + 1;
    const author = await authorName(records, tenant.keyId);
    const next = { rule_id: id, version, name, severity, condition, author, created_at: now };
    const change = { name, severity, mode, version, updated_at: now };
    await updateRule(records, id, change, isSame ? undefined : next);
    const detail = `${name}: ${mode}, version ${version}`;
    await insertAudit(records, { ...tenant, action: 'rule_changed', subject: id, detail }, now);
    return { rule: ruleRecord({ ...before, ...change, condition }) };
  });
}

/** Deletes a rule; its alerts stay and name it. Throws NotFoundError. */
export async function deleteRule(ctx: Context, tenant: Tenant, id: string) {
  const now = ctx.now();
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    const { name } = await findRule(records, tenant.accountId, id);
    await updateRule(records, id, { mode: 'off', deleted_at: now });
    await insertAudit(records, { ...tenant, action: 'rule_deleted', subject: id, detail: name }, now);
  });
  return { deleted: true as const, id };
}

function ruleRecord({ id, name, mode, severity, version, beyond, condition, created_at, updated_at }: CurrentRule) {
  return {
    ...{ id, name, mode, severity, version, when: JSON.parse(condition) as RuleCondition & Record<string, unknown> },
    ...{ beyond, created_at: iso(created_at), updated_at: iso(updated_at) },
  };
}

import { sql } from 'kysely';
import { RULE_BOUNDS, type RuleMode } from '../../domain/rule-facts.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { LimitError, NotFoundError } from '../../errors.ts';
import { lockAccount } from '../accounts/accounts.ts';
import type { ChangeOf, Records } from '../database/database.ts';
import type { RuleRow, RuleVersionRow } from '../database/tables/alerts.ts';

export type CurrentRule = RuleRow & { condition: string };

function current(records: Records) {
  return records
    .selectFrom('rules')
    .innerJoin('rule_versions', (join) =>
      join.onRef('rule_versions.rule_id', '=', 'rules.id').onRef('rule_versions.version', '=', 'rules.version'),
    )
    .selectAll('rules')
    .select('rule_versions.condition')
    .where('deleted_at', 'is', null);
}

/** The account's rules in the order in which they were made; of some modes, or all. */
export function listRuleRows(records: Records, accountId: string, modes?: readonly RuleMode[]): Promise<CurrentRule[]> {
  return current(records)
    .where('account_id', '=', accountId)
    .$if(modes !== undefined, (rules) => rules.where('mode', 'in', modes!))
    .orderBy('rules.created_at')
    .orderBy('rules.id')
    .execute();
}

/** Throws NotFoundError. */
export async function findRule(records: Records, accountId: string, id: string): Promise<CurrentRule> {
  return current(records)
    .where('rules.id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Oldest first. */
export function listRuleVersions(records: Records, ruleId: string): Promise<RuleVersionRow[]> {
  return records.selectFrom('rule_versions').selectAll().where('rule_id', '=', ruleId).orderBy('version').execute();
}

/** Throws LimitError. */
export async function insertRule(records: Records, rule: RuleRow, version: RuleVersionRow): Promise<void> {
  await lockAccount(records, rule.account_id);
  const known = await listRuleRows(records, rule.account_id);
  if (known.length >= RULE_BOUNDS.rules) throw new LimitError(`${RULE_BOUNDS.rules} rules`);
  await records.insertInto('rules').values(rule).execute();
  await records.insertInto('rule_versions').values(version).execute();
}

/** Changes a rule, with another version where one is given. */
export async function updateRule(
  records: Records,
  id: string,
  change: ChangeOf<RuleRow>,
  version?: RuleVersionRow,
): Promise<void> {
  if (version) await records.insertInto('rule_versions').values(version).execute();
  await records.updateTable('rules').set(change).where('id', '=', id).execute();
}

/** Counts a match of a rule in its hour; false beyond the bound, where it is only counted. */
export async function countMatch(records: Records, id: string, now: number): Promise<boolean> {
  const hour = Math.floor(now / HOUR_MS);
  const inHour = sql<number>`case when hour = ${hour} then hour_alerts + 1 else 1 end`;
  const { hour_alerts } = await records
    .updateTable('rules')
    .set({
      hour,
      hour_alerts: inHour,
      beyond: sql<number>`beyond + case when ${inHour} > ${sql.lit(RULE_BOUNDS.alertsAnHour)} then 1 else 0 end`,
    })
    .where('id', '=', id)
    .returning('hour_alerts')
    .executeTakeFirstOrThrow();
  return hour_alerts <= RULE_BOUNDS.alertsAnHour;
}

import type { Context } from '../../context.ts';
import type { Facts, RuleCondition } from '../../domain/rule-facts.ts';
import { recordEvent } from '../../events/outbox.ts';
import { type AlertedTransfer, watchlistAlert } from '../../events/payloads.ts';
import { isInCase } from '../../records/cases/addresses.ts';
import type { Records } from '../../records/database/database.ts';
import { raiseAlert } from '../../records/monitoring/alerts.ts';
import { type CurrentRule, countMatch, listRuleRows } from '../../records/monitoring/rules.ts';
import { findItemOf } from '../../records/monitoring/watchlist.ts';
import { keepRepeat } from '../../records/scans/scans.ts';
import { openRules } from './evaluate.ts';
import { type AskedFor, type RuledScan, scanFacts } from './scan-facts.ts';

interface Asking {
  accountId: string;
  scan: RuledScan & { scan_id: string };
  asked: AskedFor;
  transfer?: AlertedTransfer;
}

/** Raises alerts of the account's rules that a scan matches, in the transaction that records it. Levels stay as they are. */
export async function applyRules(ctx: Context, records: Records, ruled: Asking): Promise<void> {
  const rules = await listRuleRows(records, ruled.accountId, ['active', 'test']);
  if (rules.length === 0) return;
  const facts = await factsOf(records, rules, ruled);
  const conditions = rules.map(({ id, condition }) => ({ id, when: JSON.parse(condition) as RuleCondition }));
  const matched = new Set(await openRules(conditions).matches(facts));
  for (const rule of rules) if (matched.has(rule.id)) await raise(ctx, records, rule, ruled);
}

async function factsOf(
  records: Records,
  rules: readonly CurrentRule[],
  { accountId, scan, asked }: Asking,
): Promise<Facts> {
  const asks = (fact: string) => rules.some(({ condition }) => condition.includes(`"${fact}"`));
  const { chain, address } = scan;
  const watched = asks('watched') && (await findItemOf(records, accountId, { chain, address })) !== undefined;
  const inCase = asks('in_case') && (await isInCase(records, accountId, { chain, address }));
  return scanFacts(scan, { ...asked, watched, inCase });
}

async function raise(ctx: Context, records: Records, rule: CurrentRule, { accountId, scan, transfer }: Asking) {
  const at = ctx.now();
  if (!(await countMatch(records, rule.id, at))) return;
  const { chain, address, risk_level, risk_score, scan_id } = scan;
  await keepRepeat(records, scan_id);
  const { id, version, name, severity } = rule;
  const data = watchlistAlert(ctx.config.publicUrl, {
    ...{ reason: 'rule', address, chain, risk_level, risk_score, rule: { id, version, name, severity }, cause: 'rule' },
    holder: scan.metadata.entity,
    ...(transfer ? { transfer } : {}),
    page: `public/scans/${scan_id}`,
  });
  if (rule.mode === 'active') {
    await recordEvent(records, { type: 'watchlist.alert', accountId, subject: scan_id, data, at });
    return;
  }
  await raiseAlert(records, {
    ...{
      accountId,
      rule: 'rule',
      ruleId: id,
      ruleVersion: version,
      isTest: true,
      severity,
      title: name,
      chain,
      address,
    },
    ...{ party: null, reference: transfer?.reference ?? null, eventId: null, data, at },
  });
}

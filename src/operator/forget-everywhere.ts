import type { Context } from '../context.ts';
import { canonicalAddress } from '../domain/address/address.ts';
import { addressKey } from '../domain/address/address-key.ts';
import { CHAINS, type Chain } from '../domain/chain.ts';
import { InvalidInputError } from '../errors.ts';
import { type FactPlace, removeFacts } from '../graph/ingest/remove-facts.ts';
import type { Row } from '../graph/port.ts';
import { noteLabelChange } from '../labels/label-changes.ts';
import { listAccounts } from '../records/accounts/accounts.ts';
import { insertAudit, OPERATOR } from '../records/audit/audit-log.ts';
import { saltedHash } from '../records/audit/chain.ts';
import {
  type ForgottenAddress,
  forgetOfAccount,
  forgetShared,
  listHolds,
  listMentions,
  type Mention,
} from '../records/scans/forget-address.ts';

export interface ForgottenReport {
  /** Deleted rows by table, and `transfers` of the graph. */
  deleted: Record<string, number>;
  /** Cases on hold that have the address: what their accounts have of it stays, and the graph. */
  held: { chain: Chain; case_id: string; account_id: string }[];
  /** Left for a person to decide. */
  mentions: Mention[];
  /** Lists that name the address: they stay. */
  listed: string[];
}

/**
 * Deletes an address from the records of all accounts and from the graph, on one chain or on each that has such addresses.
 * Cases on hold keep theirs. The log keeps a salted hash of the address. Repeating changes nothing. Throws InvalidInputError.
 */
export async function forgetEverywhere(
  ctx: Context,
  { address: given, chain }: { address: string; chain?: Chain },
  { signal }: { signal?: AbortSignal } = {},
): Promise<ForgottenReport> {
  const subjects = subjectsOf(given, chain);
  const report: ForgottenReport = { deleted: {}, held: [], mentions: [], listed: [] };
  const add = (rows: Record<string, number>) => {
    for (const [table, count] of Object.entries(rows)) report.deleted[table] = (report.deleted[table] ?? 0) + count;
  };
  const entry = { action: 'address_forgotten', subject: saltedHash(subjects[0]!.address) } as const;
  await insertAudit(ctx.records, { ...OPERATOR, ...entry }, ctx.now());
  for (const subject of subjects) {
    const holds = await listHolds(ctx.records, subject);
    report.held.push(...holds.map((hold) => ({ chain: subject.chain, ...hold })));
  }
  // Texts name the address on no chain: a hold on one keeps those of all.
  const heldAccounts = report.held.map(({ account_id }) => account_id);
  for (const subject of subjects) {
    signal?.throwIfAborted();
    for (const { id } of await listAccounts(ctx.records)) {
      if (!heldAccounts.includes(id)) add(await forgetOfAccount(ctx.records, id, subject));
    }
    add(await forgetShared(ctx.records, subject, heldAccounts));
    const labels = (await ctx.labels.find(subject.chain, [subject.address])).get(subject.address) ?? [];
    report.listed.push(...labels.map(({ source }) => source));
    if (report.held.every(({ chain: on }) => on !== subject.chain))
      add({ transfers: await forgetInGraph(ctx, subject, labels.length > 0) });
  }
  report.mentions = await listMentions(ctx.records, subjects[0]!);
  report.listed = [...new Set(report.listed)];
  // Verdicts that were cached before rest on what is gone.
  await noteLabelChange(ctx.records);
  return report;
}

/** All chains whose addresses have this form: an EVM address is one on each of these. */
function subjectsOf(given: string, chain: Chain | undefined): ForgottenAddress[] {
  const chains = chain === undefined ? CHAINS : [chain];
  const found = chains.flatMap((one) => {
    const canonical = canonicalAddress(one, given);
    return canonical ? [{ chain: one, address: canonical.address }] : [];
  });
  if (found.length === 0)
    throw new InvalidInputError(chain ? `Address does not match chain ${chain}` : 'Not an address');
  return found;
}

/** An address that a list names stays, without transfers. */
async function forgetInGraph({ graph }: Context, of: ForgottenAddress, isListed: boolean): Promise<number> {
  const key = addressKey(of.chain, of.address);
  const facts = await graph.read<FactPlace & Row>('forget/all-facts-of-address', { key });
  const removed = await removeFacts(graph, facts, { unmark: true });
  await graph.write([
    { statement: 'forget/delete-bridged', params: { key: [key] } },
    { statement: 'forget/unmark', params: { key: [key] } },
    { statement: 'forget/unscore', params: { key: [key] } },
    ...(isListed ? [] : [{ statement: 'forget/delete-address', params: { key } }]),
  ]);
  return removed;
}

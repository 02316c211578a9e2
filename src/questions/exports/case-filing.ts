import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { CaseRole } from '../../domain/case.ts';
import type { Chain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isSure, isValidAt, KNOW_CUSTOMERS, type Label, serviceName } from '../../domain/label.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { InvalidInputError } from '../../errors.ts';
import type { CaseFiling, FilingParty } from '../../exports/case-filing.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import { newestTransfers, TRANSFERS_MAX } from '../../graph/queries/read-history.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import { listCaseAddresses, type ScannedCaseAddress } from '../../records/cases/addresses.ts';
import { findCase } from '../../records/cases/cases.ts';
import { allNotes } from '../../records/cases/notes.ts';
import { isBystander } from '../cases/report-package/transaction-totals.ts';

/** Transfers in a file: a form of more is filed by nobody. */
const TRANSFERS_IN_FILE = 1_000;
/** Transfers that are read for it. */
const TRANSFERS_READ = 100_000;

/**
 * Reads what the case knows of its transfers, within bounds; asks no chain. Throws NotFoundError, InvalidInputError
 * without addresses, or GraphError.
 */
export async function caseFiling(ctx: Context, { accountId }: Actor, caseId: string): Promise<CaseFiling> {
  const { title, description } = await findCase(ctx.records, accountId, caseId);
  const addresses = await listCaseAddresses(ctx.records, accountId, caseId);
  if (addresses.length === 0) throw new InvalidInputError('Case has no addresses');
  const notes = (await allNotes(ctx.records, caseId)).filter(
    ({ event, note_type }) => event === null && (note_type === 'finding' || note_type === 'decision'),
  );
  const { transfers, leftOut, cutAddresses } = await readTransfers(ctx, addresses);
  const partyOf = await readParties(ctx, addresses, transfers);
  return {
    caseId,
    title,
    description,
    findings: notes.toSorted((a, b) => a.created_at - b.created_at).map(({ content }) => content),
    madeAt: ctx.now(),
    addresses: addresses.map(({ chain, address }) => ({ chain, ...partyOf(chain, address) })),
    transfers: transfers.map((transfer) => ({
      transfer,
      from: partyOf(transfer.chain, transfer.from),
      to: partyOf(transfer.chain, transfer.to),
    })),
    leftOut,
    cutAddresses,
  };
}

/** The transfers of greatest value, in order of time; of services and victims those with another address of the case. */
async function readTransfers({ graph }: Context, addresses: readonly ScannedCaseAddress[]) {
  const inCase = new Set(addresses.map(({ chain, address }) => addressKey(chain, address)));
  const byId = new Map<string, Transfer>();
  const cutAddresses: string[] = [];
  const pause = timeSlices();
  let read = 0;
  for (const { chain, address, role } of addresses) {
    const most = Math.min(TRANSFERS_MAX, TRANSFERS_READ - read);
    const newest = most > 0 ? await newestTransfers(graph, chain, address, most) : [];
    read += newest.length;
    if (newest.length >= most) cutAddresses.push(`${chain}:${address}`);
    for (const transfer of newest) {
      const other = transfer.from === address ? transfer.to : transfer.from;
      if (!isBystander(role) || inCase.has(addressKey(chain, other))) byId.set(transfer.id, transfer);
    }
    await pause();
  }
  const byValue = [...byId.values()].sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0) || b.at - a.at || compare(a.id, b.id));
  return {
    transfers: byValue.slice(0, TRANSFERS_IN_FILE).sort(compareTransfers),
    leftOut: Math.max(0, byValue.length - TRANSFERS_IN_FILE),
    cutAddresses,
  };
}

async function readParties(
  { labels, now }: Context,
  addresses: readonly ScannedCaseAddress[],
  transfers: readonly Transfer[],
): Promise<(chain: Chain, address: string) => FilingParty> {
  const roles = new Map<string, CaseRole>(addresses.map((row) => [addressKey(row.chain, row.address), row.role]));
  const found = new Map<Chain, Map<string, Label[]>>();
  const parties = [
    ...addresses.map(({ chain, address }) => ({ chain, address })),
    ...transfers.flatMap(({ chain, from, to }) => [from, to].map((address) => ({ chain, address }))),
  ];
  for (const [chain, rows] of groupBy(parties, (party) => party.chain)) {
    found.set(chain, await labels.find(chain, [...new Set(rows.map(({ address }) => address))]));
  }
  const at = now();
  return (chain, address) => {
    const label = found
      .get(chain)
      ?.get(address)
      ?.find((one) => isValidAt(one, at));
    const isService = label !== undefined && isSure(label) && KNOW_CUSTOMERS.includes(label.category);
    return {
      address,
      role: roles.get(addressKey(chain, address)) ?? null,
      service: isService ? label.entity || serviceName(label.label) : null,
      category: label?.category ?? null,
      source: label?.source ?? null,
    };
  };
}

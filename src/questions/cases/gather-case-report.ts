import type { Context } from '../../context.ts';
import type { BridgeFacts } from '../../domain/bridges/bridge-facts.ts';
import { iso } from '../../domain/time.ts';
import { InvalidInputError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import type { SummaryLang } from '../../summary/port.ts';
import type { CaseAddressRecord, CaseNoteRecord, CaseRecord } from './case-records.ts';
import { confirmedCrossings } from './confirmed-crossings.ts';
import type { DispositionRecord } from './dispositions.ts';
import { type AddressReportInput, gatherAddressReport } from './gather-address-report.ts';
import { getCase } from './manage-cases.ts';

/** Everything that the report of a case lays out, each address in the order of the case. */
export interface CaseReportInput {
  language: SummaryLang;
  madeAt: string;
  case: CaseRecord;
  notes: CaseNoteRecord[];
  /** Crossings from or to addresses of the case that an analyst confirmed; null where they could not be read in time. */
  confirmed: BridgeFacts[] | null;
  addresses: {
    record: CaseAddressRecord;
    dispositions: DispositionRecord[];
    report: AddressReportInput;
  }[];
}

/** The most that exposure offers: what the indirect findings of a scan name shall be in the tables too. */
const MAX_HOPS = 5;
const ADDRESSES_AT_ONCE = 2;

/** Reads a whole case for its report; asks no chain. Throws NotFoundError, or InvalidInputError without addresses. */
export async function gatherCaseReport(
  ctx: Context,
  tenant: Tenant,
  { caseId, language }: { caseId: string; language: SummaryLang },
): Promise<CaseReportInput> {
  const { case: record, addresses, notes, dispositions } = await getCase(ctx, tenant, caseId);
  if (addresses.length === 0) throw new InvalidInputError('Case has no addresses');
  const gathered: CaseReportInput['addresses'] = [];
  for (let start = 0; start < addresses.length; start += ADDRESSES_AT_ONCE) {
    const reports = addresses.slice(start, start + ADDRESSES_AT_ONCE).map(async (address) => ({
      record: address,
      dispositions: dispositions.filter(({ address_id }) => address_id === address.id),
      report: await gatherAddressReport(ctx, tenant, {
        chain: address.chain,
        address: address.address,
        maxHops: MAX_HOPS,
        language,
      }),
    }));
    gathered.push(...(await Promise.all(reports)));
  }
  const confirmed = await confirmedCrossings(ctx, tenant.accountId, addresses);
  return { language, madeAt: iso(ctx.now()), case: record, notes, confirmed, addresses: gathered };
}

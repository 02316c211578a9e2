import type { Context } from '../../context.ts';
import { type Chain, isEvmChain } from '../../domain/chain.ts';
import type { ScamType } from '../../domain/scam.ts';
import { insertScamReport } from '../../records/scamdb/reports.ts';
import { parseAddress } from '../parse-address.ts';

export interface ReportInput {
  address: string;
  chain?: string | null;
  type: ScamType;
  description: string;
  /** Host names in their normal form. */
  domains?: string[] | null;
  evidence_url?: string | null;
  stolen_usd?: number | null;
}

const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Keeps a report for the operator to decide on; nothing else changes. Without a chain, a report of an EVM address
 * speaks of all eight. Throws InvalidInputError for what is no address of the chain.
 */
export async function reportScam(ctx: Context, accountId: string, input: ReportInput) {
  const { chain, address } = parseAddress(input.address, input.chain ?? undefined);
  const report = {
    account_id: accountId,
    chain: reportedChain(chain, Boolean(input.chain?.trim())),
    address,
    type: input.type,
    description: input.description.replace(BIDI, ''),
    domains: [...new Set(input.domains ?? [])],
    evidence_url: input.evidence_url ?? null,
    stolen_usd: input.stolen_usd ?? null,
  };
  const id = await insertScamReport(ctx.records, report, ctx.now());
  return { success: true as const, report_id: id, status: 'pending' as const };
}

function reportedChain(chain: Chain, wasNamed: boolean): Chain | 'evm' {
  return isEvmChain(chain) && !wasNamed ? 'evm' : chain;
}

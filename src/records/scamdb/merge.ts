import { CHAINS, EVM_CHAINS } from '../../domain/chain.ts';
import { gravestType, scamSeverity } from '../../domain/scam.ts';
import { foldForSearch } from '../../domain/text/search-words.ts';
import type { EntryContent } from '../database/tables/scamdb.ts';
import type { ScamStatement } from './statements.ts';

const DOMAINS_SHOWN_MAX = 100;
const METHODS_SHOWN_MAX = 3;
const METHOD_LENGTH_MAX = 2_000;

/** One entry from what its live sources say: the gravest kind, every chain, the losses of each reporter once. */
export function mergeStatements(
  address: string,
  live: readonly ScamStatement[],
  domains: readonly string[],
): EntryContent {
  const type = gravestType(live.map((statement) => statement.type));
  const chains = new Set(live.flatMap(({ chain }) => (chain === 'evm' ? EVM_CHAINS : [chain])));
  const losses = new Map<string, number>();
  for (const { accountId, stolenUsd } of live) {
    if (accountId !== null) losses.set(accountId, Math.max(losses.get(accountId) ?? 0, stolenUsd));
  }
  const stolenUsd = [...losses.values()].reduce((sum, loss) => sum + loss, 0);
  const methods = new Set([
    ...live.filter((statement) => statement.type === type).map((statement) => statement.method),
    ...live.map((statement) => statement.method),
  ]);
  const sources = [...new Set(live.map((statement) => statement.source))].sort();
  const lists = sources.filter((source) => !source.startsWith('report:'));
  return {
    chains: JSON.stringify(CHAINS.filter((chain) => chains.has(chain))),
    type,
    severity: scamSeverity(type, stolenUsd),
    method: [...methods].slice(0, METHODS_SHOWN_MAX).join('; ').slice(0, METHOD_LENGTH_MAX),
    domains: JSON.stringify(domains.slice(0, DOMAINS_SHOWN_MAX)),
    domain_count: domains.length,
    total_stolen_usd: Math.round(stolenUsd * 100) / 100,
    verified: 1,
    sources: JSON.stringify(sources),
    search_text: searchText([address, type, ...methods, ...lists], domains),
  };
}

/** A domain that stands in another text already is found there: each character costs its place in the index. */
function searchText(texts: readonly string[], domains: readonly string[]): string {
  const text = foldForSearch(texts.join('\n'));
  return [text, ...domains.map(foldForSearch).filter((domain) => !text.includes(domain))].join('\n');
}

import { paragraph, shareText } from '../../../../words/figures.ts';
import { fill } from '../../../../words/fill.ts';
import type { Language } from '../../../../words/language.ts';
import { WORDS } from '../../../../words/words.ts';
import { addressKey } from '../../../domain/address/address-key.ts';
import type { Chain } from '../../../domain/chain.ts';
import type { FundsRow } from '../../../domain/tracing/answers.ts';
import type { Direction } from '../../../domain/tracing/flow-portion.ts';
import { isOneAmount } from '../../../domain/tracing/funds-row.ts';
import { type Method, rulesOf } from '../../../domain/tracing/rule.ts';
import { ShapeError } from '../../../errors.ts';
import type { LaunderingPattern } from '../../../risk/fields.ts';
import { entityFields, type Group, holdersOfEnds, type OneParty, partyOf } from '../../read/by-entity.ts';
import { type MoneyTraces, type TraceContext, traceMoney } from '../../read/trace-money.ts';
import { exposurePatterns } from '../exposure-patterns.ts';
import { type FollowedTransfers, followsOnly, isIn, isOfAsset } from '../follows-only.ts';
import { FUNDS_LIMIT, type Funds, fundsOf } from './funds-of.ts';

/** Subjects around which laundering patterns are searched. */
const PATTERNS_OF_MAX = 10;

export interface FundsRequest extends FundsOptions {
  /** Graph keys of the subject, or of several addresses that are taken as one party. */
  keys: readonly string[];
}

/** How the account of the money is asked for, without its subject. */
export interface FundsOptions extends FollowedTransfers {
  direction: Direction;
  maxHops: number;
  lang: Language;
  /** False leaves out the search for patterns; default: true. */
  withPatterns?: boolean;
  /** Set for an account by holders: the one that it is about. */
  party?: OneParty;
  /** As in `Funds`. */
  withKept?: boolean;
  /** Graph keys of the victims; default: their losses are not summed. */
  victims?: ReadonlySet<string>;
  /** Transfers that are listed of one end; default: 50. */
  arrivalsMax?: number;
  /** How mixed money is attributed; default: pro rata. */
  method?: Method;
}

/** The account of the money of one address (canonical). Throws GraphError or ShapeError. */
export async function getAddressFunds(
  ctx: TraceContext,
  { chain, address, group = 'address', ...asked }: FundsOptions & { chain: Chain; address: string; group?: Group },
) {
  const key = addressKey(chain, address);
  if (group === 'address') return { address, chain, ...(await getFunds(ctx, { ...asked, keys: [key] })) };
  const party = await partyOf(ctx.graph, key);
  return { address, chain, ...(await getFunds(ctx, { ...asked, keys: party.keys, party })), entity: party.entity };
}

/** The account of the money of an address, or of several as one party. Throws GraphError, or ShapeError for an asset or a transaction that it did not move. */
export async function getFunds(ctx: TraceContext, request: FundsRequest): Promise<Funds> {
  const { keys, direction, maxHops, lang, withPatterns = true, withKept, arrivalsMax, party, victims } = request;
  const { method = 'pro_rata' } = request;
  const follows = followsOnly(request);
  // One payment is counted once in any case: who asks for it wants to see who took it.
  const exchanges = request.txHash === undefined ? 'in_account' : 'listed';
  const bounds = { directions: [direction], exchanges, maxHops, limit: FUNDS_LIMIT, rules: rulesOf(method) } as const;
  const byEntity = party && { own: party.own, byEntity: true };
  const traces = await traceMoney(ctx, keys, { ...bounds, ...byEntity, follows });
  const holders = party && (await holdersOfEnds(ctx.graph, traces, withKept ? keys : []));
  refuseUnknown(request, traces);
  const patterns = new Map<string, LaunderingPattern>();
  let reason: string | null = null;
  for (const key of withPatterns ? keys.slice(0, PATTERNS_OF_MAX) : []) {
    const around = await exposurePatterns(ctx, key, { traces, lang });
    reason ??= around.reason;
    for (const one of around.patterns) patterns.set(`${one.pattern_id} ${one.evidence[0]?.tx_hash}`, one);
  }
  const asked = { keys, direction, maxHops, lang, withKept, arrivalsMax, method, victims };
  const account = await fundsOf(ctx, traces, { ...asked, patterns: [...patterns.values()], reason, holders });
  const byRule = { note: paragraph([account.note, methodNote(method, account.rows, lang)], lang), method };
  const funds = method === 'pro_rata' ? account : { ...account, ...byRule };
  if (!holders) return funds;
  const named = (row: FundsRow): FundsRow => {
    const { chain, address } = row;
    return { ...row, ...entityFields(chain && address ? holders.get(addressKey(chain, address)) : undefined) };
  };
  return { ...funds, rows: funds.rows.map(named), ...(funds.kept ? { kept: funds.kept.map(named) } : {}) };
}

function refuseUnknown({ asset, txHash }: FollowedTransfers, { subjects }: MoneyTraces): void {
  const moved = [...subjects.values()].flatMap(({ received, sent }) => [...received, ...sent]);
  if (moved.length === 0) return;
  const refuse = (field: string, msg: string) => {
    throw new ShapeError([{ type: 'value_error', loc: ['query', field], msg }]);
  };
  if (asset !== undefined && !moved.some((transfer) => isOfAsset(transfer, asset))) {
    refuse('asset', 'Input should be the symbol or the contract of an asset that the address moved');
  }
  if (txHash !== undefined && !moved.some((transfer) => isIn(transfer, txHash))) {
    refuse('tx_hash', 'Input should be a transaction in which the address moved something');
  }
}

/** Says by which rule mixed money is attributed; of all side by side, which rows do not depend on it. Null for pro rata. */
function methodNote(method: Method, rows: readonly FundsRow[], lang: Language): string | null {
  const { funds } = WORDS[lang];
  if (method === 'pro_rata') return null;
  if (method !== 'range') return funds.methods[method];
  const ranged = rows.filter(({ range, reached }) => range && !reached);
  if (ranged.length === 0) return rows.some(({ usd }) => usd > 0) ? funds.range_late : null;
  const same = ranged.filter(({ range }) => range && isOneAmount(range));
  if (same.length === ranged.length) return funds.no_row_depends;
  const usd = same.reduce((sum, row) => sum + Math.max(0, row.usd), 0);
  const all = ranged.reduce((sum, row) => sum + Math.max(0, row.usd), 0);
  const share = shareText(all > 0 ? usd / all : 0, lang);
  return fill(funds.rows_depend, { same: same.length, rows: ranged.length, share });
}

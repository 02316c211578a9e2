import type { Context } from '../../context.ts';
import { addressKey, addressOf, chainOf, parseAddressKey } from '../../domain/address/address-key.ts';
import { rounded } from '../../domain/amount.ts';
import { type Chain, NATIVE_COIN } from '../../domain/chain.ts';
import { isSure, isValidAt } from '../../domain/label.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import { assetIdOf, COIN } from '../../domain/tracing/asset-id.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { Graph } from '../../graph/port.ts';
import { newestTransfers, statedBalances, TRANSFERS_MAX } from '../../graph/queries/read-history.ts';
import { orderLabels } from '../../labels/label-order.ts';
import { labelsByKey } from '../../labels/node-labels.ts';
import { openOwnLabels } from '../../labels/own-labels.ts';
import { boardsThatShow } from '../../records/boards.ts';
import { casesWith } from '../../records/cases/addresses.ts';
import { findLatestScan } from '../../records/scans/scans.ts';
import { isClaimed } from '../../risk/ledger/movements.ts';
import { type Group, partyOf } from '../../tracing/read/by-entity.ts';
import type { AccountInquiry } from '../../tracing/read/inquiry.ts';

/** Transfers that are read at least of each address of a holder with many. */
const EACH_MIN = 500;
const BALANCES_MAX = 100;

interface ProfileRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  group: Group;
  /** Epoch ms; older scans are not named. */
  scannedFrom: number;
}

/** Returns what is known of an address, or of its holder: who says what, what was held, when it moved, and where the account keeps it. */
export async function addressProfile(
  ctx: Context & AccountInquiry,
  { chain, address, group, scannedFrom }: ProfileRequest,
) {
  const key = addressKey(chain, address);
  const party = group === 'entity' ? await partyOf(ctx.graph, key) : null;
  const keys = party ? [...party.keys] : [key];
  const [labels, own, moved, cases, boards, scan] = await Promise.all([
    labelsByKey(ctx.labels, new Set(keys)),
    openOwnLabels(ctx, ctx.accountId, keys.map(addressOf)),
    monthsOf(ctx.graph, keys, party?.own ?? new Set(keys)),
    casesWith(ctx.records, ctx.accountId, keys.map(parseAddressKey)),
    boardsThatShow(ctx.records, ctx.accountId, keys),
    findLatestScan(ctx.records, ctx.accountId, { chain, address }),
  ]);
  const at = ctx.now();
  return {
    address,
    chain,
    ...(party ? { entity: party.entity } : {}),
    labels: [...labels].flatMap(([of, known]) =>
      own.stated(chainOf(of), addressOf(of), orderLabels(known, at)).map((label) => ({
        address: addressOf(of),
        chain: chainOf(of),
        label: label.label,
        category: label.category,
        entity: label.entity,
        source: label.source,
        sure: isSure(label),
        in_force: isValidAt(label, at),
        valid_from: isoOrNull(label.validFrom),
        valid_to: isoOrNull(label.validTo),
        ...(label.claimed && { own: label.claimed }),
      })),
    ),
    balances: await balancesOf(ctx, keys, moved.symbols),
    months: moved.months,
    months_truncated: moved.truncated,
    cases,
    boards,
    last_scan_id: scan && scan.created_at >= scannedFrom ? scan.id : null,
  };
}

interface Moved {
  usd: number;
  transfers: number;
  unpriced: number;
}

/** Adds up by month what came in and went out; what the addresses pay each other is left out. */
async function monthsOf(graph: Graph, keys: readonly string[], own: ReadonlySet<string>) {
  const most = Math.max(EACH_MIN, Math.floor(TRANSFERS_MAX / keys.length));
  const months = new Map<string, Record<'received' | 'sent', Moved>>();
  const symbols = new Map<string, string>();
  let truncated = false;
  for (const key of keys) {
    const { chain, address } = parseAddressKey(key);
    const transfers = await newestTransfers(graph, chain, address, most);
    truncated ||= transfers.length >= most;
    for (const transfer of transfers) {
      symbols.set(`${chain} ${assetIdOf(transfer)}`, transfer.asset);
      const isSent = transfer.from === address;
      const isOwn = own.has(addressKey(chain, isSent ? transfer.to : transfer.from));
      if (!isOwn && !isClaimed(transfer, address)) count(months, transfer, isSent ? 'sent' : 'received');
    }
  }
  const sides = ({ usd, ...counts }: Moved) => ({ usd: rounded(usd), ...counts });
  const rows = [...months].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    months: rows.map(([month, { received, sent }]) => ({ month, received: sides(received), sent: sides(sent) })),
    symbols,
    truncated,
  };
}

function count(
  months: Map<string, Record<'received' | 'sent', Moved>>,
  { at, usd }: Transfer,
  side: 'received' | 'sent',
) {
  const name = iso(at).slice(0, 7);
  const none = () => ({ usd: 0, transfers: 0, unpriced: 0 });
  const month = months.get(name) ?? { received: none(), sent: none() };
  months.set(name, month);
  const moved = month[side];
  moved.usd += usd ?? 0;
  moved.transfers += 1;
  if (usd === null) moved.unpriced += 1;
}

/** The newest statement of the chain on each asset of addresses that the account has read. */
async function balancesOf(ctx: Context & AccountInquiry, keys: string[], symbols: ReadonlyMap<string, string>) {
  const read = await ctx.readBy(keys);
  const stated = await statedBalances(
    ctx.graph,
    keys.filter((key) => read.has(key)),
  );
  return stated
    .flatMap(({ key, asset, amount, at }) => {
      const { chain, address } = parseAddressKey(key);
      const symbol =
        asset === COIN
          ? NATIVE_COIN[chain].symbol
          : (symbols.get(`${chain} ${asset}`) ?? verifiedToken(chain, asset)?.symbol);
      return symbol ? [{ address, chain, asset: symbol, amount, at: iso(at) }] : [];
    })
    .slice(0, BALANCES_MAX);
}

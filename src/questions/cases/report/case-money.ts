import type { Language } from '../../../../words/language.ts';
import type { Context } from '../../../context.ts';
import { addressKey, addressOf, chainOf } from '../../../domain/address/address-key.ts';
import { roundUsd } from '../../../domain/amount.ts';
import { bridgeFacts } from '../../../domain/bridges/bridge-facts.ts';
import type { Chain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { addToGroup, groupBy } from '../../../domain/group-by.ts';
import { type Category, KNOW_CUSTOMERS } from '../../../domain/label.ts';
import { iso } from '../../../domain/time.ts';
import type { FundsFlow, FundsRow } from '../../../domain/tracing/answers.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import type { FlowPortion } from '../../../domain/tracing/flow-portion.ts';
import { chainReached } from '../../../domain/tracing/funds-row.ts';
import { MEASURED_RULES } from '../../../domain/tracing/rule.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import type { KnownHistories } from '../../../graph/queries/histories.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import type { ScannedCaseAddress } from '../../../records/cases/addresses.ts';
import { usdOf } from '../../../tracing/answers/arrivals.ts';
import { subjectKeys, victimKeys } from '../../../tracing/answers/funds/case-subjects.ts';
import { carriedOf } from '../../../tracing/answers/funds/flows.ts';
import {
  depositAddressesOf,
  FUNDS_HOPS,
  FUNDS_LIMIT,
  type Funds,
  fundsOf,
} from '../../../tracing/answers/funds/funds-of.ts';
import { noteOfCase } from '../../../tracing/answers/funds/get-case-funds.ts';
import { fundsOnPlan } from '../../../tracing/answers/funds/plan-funds.ts';
import { movedOf, paidByVictims, type VictimSums, whole } from '../../../tracing/answers/funds/victims.ts';
import { assetsOf, atTheParty } from '../../../tracing/engine/walk/evidence.ts';
import { inquire } from '../../../tracing/read/inquiry.ts';
import { type MoneyTraces, traceMoney } from '../../../tracing/read/trace-money.ts';
import { sawNothing, withinTraceBudget } from './within-trace-budget.ts';

/** Part of the size of an answer that the account of a report may have. */
const ROOM = 0.25;
const PAYERS_MAX = 20;
const TRANSACTIONS_MAX = 20;

/** An address that paid the subjects. */
export interface CasePayer {
  chain: Chain;
  address: string;
  label: string | null;
  category: Category | null;
  usd: number;
  assets: Record<string, string>;
  first_at: string;
  last_at: string;
  /** The first ones. */
  transactions: string[];
  transfers: number;
  /** The subjects that it paid, as graph keys, and what each got. */
  paid: { to: string; usd: number }[];
  /** True where the case names it as a victim. */
  isVictim: boolean;
}

/** The money of the subjects of a case as one party: all that a report says of it. */
export interface CaseMoney {
  /** Sent money, as GET /cases/{id}/funds answers it. */
  sent: Funds;
  /** Money that the subjects had not sent on when they were last read; not part of the account of what they sent. */
  kept: FundsRow[];
  /** Senders of the subjects' incoming transfers: the victims that the case names, then the largest of the others. */
  payers: CasePayer[];
  /** How many there are, named or not, and what they paid. */
  payersTotal: number;
  paidUsd: number;
  /** The losses of the victims that the case names, and what came back; null where nothing moved between them and the subjects. */
  victims: VictimSums | null;
  /** How many of the payers it names as victims. */
  victimsTotal: number;
  /** Names of labelled addresses on the way, by graph key. */
  labels: Record<string, { label: string; category: Category | null }>;
}

export interface GatheredMoney {
  money: CaseMoney;
  /** US dollars of the traced money in a transfer; null for one that is not on the way. */
  tracedIn: (transfer: Transfer) => number | null;
  /** Ids of the transfers by which the money came to services that know their customers, by graph key of the payer. */
  finalTransfers: ReadonlyMap<string, readonly string[]>;
}

/** Reads the account of a case for its report; null where the time of a trace ends before the subjects were read. Throws GraphError. */
export async function gatherCaseMoney(
  ctx: Context,
  tenant: Tenant,
  addresses: readonly ScannedCaseAddress[],
  { lang, histories }: { lang: Language; histories: KnownHistories },
): Promise<GatheredMoney | null> {
  const { keys, count } = subjectKeys(addresses);
  return withinTraceBudget(await inquire(ctx, tenant.accountId), async (timed) => {
    const traces = await traceMoney(timed, keys, {
      directions: ['received', 'sent'],
      maxHops: FUNDS_HOPS.usual,
      maxHopsReceived: 1,
      exchanges: 'in_account',
      rules: MEASURED_RULES.filter((rule) => rule !== 'pro_rata'),
      limit: FUNDS_LIMIT,
      histories,
    });
    if (sawNothing(traces)) return null;
    const asked = { keys, maxHops: FUNDS_HOPS.usual, lang, patterns: [], reason: null, room: ROOM };
    const named = victimKeys(addresses);
    const {
      kept = [],
      victims = null,
      ...found
    } = await fundsOf(timed, traces, {
      ...asked,
      victims: named,
      direction: 'sent',
      withKept: true,
      method: 'range',
    });
    const sent = fundsOnPlan({ ...found, note: noteOfCase(found, count, lang) }, tenant.plan, lang);
    const payers = payersOf(traces, named);
    const money = {
      sent,
      kept,
      payers: [true, false].flatMap((is) => payers.filter(({ isVictim }) => isVictim === is).slice(0, PAYERS_MAX)),
      payersTotal: payers.length,
      paidUsd: roundUsd(payers.reduce((sum, { usd }) => sum + usd, 0)),
      victims,
      victimsTotal: payers.filter(({ isVictim }) => isVictim).length,
      labels: labelsOnTheWay(sent.flows, traces),
    };
    let inTransfer: GatheredMoney['tracedIn'] | null = null;
    const traced = (transfer: Transfer) => {
      inTransfer ??= tracedIn(carriedOf(traces.sent));
      return inTransfer(transfer);
    };
    return { money, tracedIn: traced, finalTransfers: finalTransfers(traces) };
  });
}

/** Lists the transfers to services, and to the deposit addresses of their customers. */
function finalTransfers(traces: MoneyTraces): GatheredMoney['finalTransfers'] {
  const { isDeposit, broughtTo } = depositAddressesOf(traces);
  const services = traces.sent.parties.filter(({ category }) => KNOW_CUSTOMERS.includes(category));
  const last = services.flatMap(({ address, arrivals }) =>
    arrivals.flatMap((one) => {
      const { from } = one.transfer;
      return isDeposit(from, address) ? [one, ...broughtTo(from)] : [one];
    }),
  );
  const ids = new Map<string, string[]>();
  for (const { transfer, usd } of new Set(last)) {
    if (usd > 0 && !transfer.bridge) addToGroup(ids, transfer.from, transfer.id);
  }
  return ids;
}

/** A crossing stands for two transfers, one on each chain, which are found by transaction, asset and end. */
function tracedIn(portions: Iterable<FlowPortion>): GatheredMoney['tracedIn'] {
  const traced = new Map<string, number>();
  const add = (name: string, usd: number) => traced.set(name, (traced.get(name) ?? 0) + usd);
  for (const one of portions) {
    const { transfer } = one;
    add(transfer.id, usdOf([one], 'received'));
    if (!transfer.bridge || transfer.bridge.end === 'cross_chain_off') continue;
    const { source, destination } = bridgeFacts(transfer.bridge.crossing, transfer.bridge.end);
    add(`from ${source.chain} ${source.tx_hash} ${source.asset} ${source.address}`, usdOf([one], 'received'));
    add(
      `to ${destination.chain} ${destination.tx_hash} ${destination.asset} ${destination.address}`,
      usdOf([one], 'sent'),
    );
  }
  return ({ id, chain, txHash, asset, from, to }) =>
    traced.get(id) ??
    traced.get(`from ${chain} ${txHash} ${asset} ${from}`) ??
    traced.get(`to ${chain} ${txHash} ${asset} ${to}`) ??
    null;
}

/** The senders of the subjects' own incoming transfers, largest first; victims with all that they paid, the others as it is followed. */
function payersOf(traces: MoneyTraces, victims: ReadonlySet<string>): CasePayer[] {
  const { received, labels } = traces;
  const others = [...carriedOf(received)].filter(
    ({ onto, transfer: { from } }) => !onto && !victims.has(from) && !isNullAddress(from),
  );
  const own = [...paidByVictims(traces, victims).map(whole), ...others];
  const payers = [...groupBy(own, ({ transfer }) => transfer.from)].map(([key, portions]): CasePayer => {
    const transfers = portions.map(({ transfer }) => atTheParty(transfer, 'received')).sort((a, b) => a.at - b.at);
    const { label = null, category = null } = labels.get(key) ?? {};
    const transactions = [...new Set(transfers.map(({ txHash }) => txHash))];
    return {
      chain: chainOf(key),
      address: addressOf(key),
      label,
      category,
      usd: movedOf(portions, 'received').usd,
      assets: assetsOf({ arrivals: portions }, 'received'),
      first_at: iso(transfers[0]!.at),
      last_at: iso(transfers.at(-1)!.at),
      transactions: transactions.slice(0, TRANSACTIONS_MAX),
      transfers: transactions.length,
      paid: [...groupBy(portions, ({ transfer }) => transfer.to)].map(([to, all]) => ({
        to,
        usd: movedOf(all, 'received').usd,
      })),
      isVictim: victims.has(key),
    };
  });
  return payers.sort((a, b) => b.usd - a.usd || compare(a.address, b.address));
}

function labelsOnTheWay(flows: readonly FundsFlow[], { labels }: MoneyTraces): CaseMoney['labels'] {
  const keys = flows.flatMap((flow) => [addressKey(flow.chain, flow.from), addressKey(chainReached(flow), flow.to)]);
  return Object.fromEntries(
    [...new Set(keys)].flatMap((key) => {
      const { label, category } = labels.get(key) ?? { label: null, category: null };
      return label === null ? [] : [[key, { label, category }]];
    }),
  );
}

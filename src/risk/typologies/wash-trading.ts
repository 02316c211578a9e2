import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { SERVICE_CATEGORIES } from '../../domain/label.ts';
import { STABLECOINS } from '../../domain/tokens/stablecoins.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Movement } from '../ledger/movements.ts';
import { RULES } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';

/** A token goes back and forth between the subject and one party and neither side gains. */
export const washTrading: Detector = {
  id: 'wash_trading',
  family: 'structural',
  indicator: 'patterns',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    const trades = ledger.movements.filter(({ transfer, counterparty }) => {
      const category = ledger.categoryOf(counterparty);
      const service = category !== null && SERVICE_CATEGORIES.includes(category);
      return transfer.token !== null && !service && !STABLECOINS.includes(transfer.asset);
    });
    const fungible = trades.filter(({ transfer }) => transfer.kind !== 'nft');
    const unique = trades.filter(({ transfer }) => transfer.kind === 'nft');
    const gross = new Map<string, number>();
    for (const { transfer, usd } of fungible)
      gross.set(transfer.token!, (gross.get(transfer.token!) ?? 0) + (usd ?? 0));
    return [
      ...byPair(fungible, ({ transfer }) => transfer.token!).flatMap((pair) =>
        fungibleFinding(pair, gross.get(pair[0]!.transfer.token!)!),
      ),
      ...nftFindings(ledger, unique),
    ];
  },
};

function byPair(trades: readonly Movement[], assetOf: (movement: Movement) => string): Movement[][] {
  return [...groupBy(trades, (movement) => `${assetOf(movement)} ${movement.owner}`).values()];
}

function fungibleFinding(pair: Movement[], tokenUsd: number): Finding[] {
  const rule = RULES.wash_trading;
  const given = amountOf(pair, 'out');
  const taken = amountOf(pair, 'in');
  const usd = pair.reduce((sum, movement) => sum + (movement.usd ?? 0), 0);
  const trips = returns(pair);
  const net = Math.abs(given - taken) / (given + taken);
  if (trips < rule.round_trips || net >= rule.net_share_max || usd < rule.total_from_usd) return [];
  return [
    {
      severity: usd >= rule.high_volume_share * tokenUsd ? 'HIGH' : 'MEDIUM',
      variant: 'token',
      thresholds: rule,
      measured: {
        asset: pair[0]!.transfer.asset,
        round_trips: trips,
        usd: rounded(usd),
        amounts: amountsOf(pair),
        net_share: rounded(net),
        volume_share: rounded(usd / tokenUsd),
      },
      movements: pair,
    },
  ];
}

/** An item that keeps returning from one party, or that the subject took three times, for money. */
function nftFindings(ledger: Ledger, unique: readonly Movement[]): Finding[] {
  const rule = RULES.wash_trading;
  const hashes = new Set(unique.map(({ transfer }) => transfer.txHash));
  const inThem = ledger.movements.filter(({ transfer }) => hashes.has(transfer.txHash));
  const byTransaction = groupBy(inThem, ({ transfer }) => transfer.txHash);
  const items = groupBy(unique, ({ transfer }) => `${transfer.token} ${transfer.tokenId}`);
  return [...items.values()].flatMap((item) => {
    const trips = Math.max(0, ...byPair(item, () => 'item').map(returns));
    const taken = item.filter((movement) => movement.direction === 'in').length;
    if (trips < rule.nft_returns && taken < rule.round_trips) return [];
    const payments = [...new Set(item.map((movement) => movement.transfer.txHash))].flatMap((txHash) =>
      byTransaction.get(txHash)!.filter((movement) => movement.usd !== null && movement.transfer.kind !== 'nft'),
    );
    const usd = payments.reduce((sum, movement) => sum + movement.usd!, 0);
    if (usd < rule.total_from_usd) return [];
    return [
      {
        severity: 'MEDIUM',
        variant: 'nft',
        thresholds: rule,
        measured: {
          asset: item[0]!.transfer.asset,
          token_id: item[0]!.transfer.tokenId,
          round_trips: trips,
          bought: taken,
          usd: rounded(usd),
        },
        movements: [...item, ...payments],
      },
    ];
  });
}

/** How often something given came back. */
function returns(pair: readonly Movement[]): number {
  let given = 0;
  let count = 0;
  for (const { direction } of pair) {
    if (direction === 'out') given++;
    else if (given > 0) {
      given--;
      count++;
    }
  }
  return count;
}

function amountOf(pair: readonly Movement[], direction: 'in' | 'out'): number {
  return pair.reduce((sum, m) => (m.direction === direction ? sum + Number(m.transfer.amount) : sum), 0);
}

import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Movement, sumDirectionUsd } from '../ledger/movements.ts';
import { RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';

/** Assets are repeatedly exchanged at a marked loss. */
export const highFeeLoss: Detector = {
  id: 'high_fee_loss',
  family: 'gambling_privacy',
  indicator: 'transactions',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    const rule = RULES.high_fee_loss;
    const losing = conversions(ledger).filter((movements) => {
      if (movements.some((movement) => movement.usd === null)) return false;
      const paid = sumDirectionUsd(movements, 'out');
      const loss = 1 - sumDirectionUsd(movements, 'in') / paid;
      return paid >= rule.each_from_usd && loss >= rule.loss_share && loss <= rule.loss_share_max;
    });
    if (losing.length < rule.conversions) return [];
    const all = losing.flat();
    const usd = sumDirectionUsd(all, 'out');
    const lost = usd - sumDirectionUsd(all, 'in');
    return [
      {
        severity: 'MEDIUM',
        thresholds: rule,
        measured: {
          conversions: losing.length,
          usd: rounded(usd),
          amounts: amountsOf(all.filter(({ direction }) => direction === 'out')),
          lost_usd: rounded(lost),
          loss_share: rounded(lost / usd),
        },
        movements: all,
      },
    ];
  },
};

/** Something was exchanged for an asset made to hide its owner. */
export const privacyAsset: Detector = {
  id: 'privacy_asset',
  family: 'gambling_privacy',
  indicator: 'anonymity',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    const rule = RULES.privacy_asset;
    const symbols: readonly string[] = rule.symbols;
    const bought = conversions(ledger).flatMap((movements) =>
      movements.filter(
        (m) =>
          m.direction === 'in' && (m.usd ?? 0) >= rule.from_usd && symbols.includes(m.transfer.asset.toUpperCase()),
      ),
    );
    if (bought.length === 0) return [];
    const usd = bought.reduce((sum, movement) => sum + (movement.usd ?? 0), 0);
    const assets = [...new Set(bought.map((movement) => movement.transfer.asset))].sort();
    return [
      {
        severity: 'MEDIUM',
        thresholds: { ...rule, symbols: [...rule.symbols] },
        measured: { conversions: bought.length, assets, usd: rounded(usd), amounts: amountsOf(bought) },
        movements: bought,
      },
    ];
  },
};

/** Transactions in which the subject gave some assets and received others, oldest first. */
function conversions(ledger: Ledger): Movement[][] {
  const swaps = ledger.movements.filter((movement) => movement.swap);
  return [...groupBy(swaps, (movement) => movement.transfer.txHash).values()].filter((movements) => {
    const given = new Set(movements.filter((m) => m.direction === 'out').map((m) => m.transfer.asset));
    return movements.every((m) => m.direction === 'out' || !given.has(m.transfer.asset));
  });
}

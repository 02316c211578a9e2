import { rounded } from '../../../domain/amount.ts';
import { amountsOf } from '../../exposure/share-of-flow.ts';
import { conversions } from '../../ledger/conversions.ts';
import { RULES } from '../../rules.ts';
import type { Detector } from '../detector.ts';

/** Something was exchanged for an asset made to hide its owner. */
export const privacyAsset: Detector = {
  id: 'privacy_asset',
  family: 'gambling_privacy',
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

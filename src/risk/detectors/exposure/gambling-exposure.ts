import { exposedTo } from '../../exposure/exposed-movements.ts';
import { shareFigures, shareOfFlow } from '../../exposure/share-of-flow.ts';
import { RULES } from '../../rules.ts';
import type { Detector } from '../detector.ts';

/** A large part of what was sent or received went to or came from gambling. */
export const gamblingExposure: Detector = {
  id: 'gambling_exposure',
  family: 'gambling_privacy',
  detect(ledger) {
    const rule = RULES.gambling_exposure;
    return (['out', 'in'] as const).flatMap((direction) => {
      const part = exposedTo(ledger, 'gambling', direction);
      const flow = shareOfFlow(ledger, part, direction);
      if (flow.usd < rule.from_usd || flow.share < rule.low_share) return [];
      return [
        {
          severity: flow.share >= rule.medium_share ? 'MEDIUM' : 'LOW',
          category: 'gambling',
          variant: direction === 'out' ? 'sent' : 'received',
          thresholds: rule,
          measured: shareFigures(flow, part),
          movements: part,
        },
      ];
    });
  },
};

import { rounded } from '../../domain/amount.ts';
import { type Ledger, perLedger } from '../ledger/ledger.ts';
import { received, sent, totalUsd } from '../ledger/payments.ts';
import { RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';
import { namesOf } from './accomplice.ts';
import { strangers } from './collected.ts';

/** Gathers from strangers and keeps nothing, and what it pays out joins the money of a listed taker: a second collector. */
export const sharedLayer: Detector = {
  id: 'shared_layer',
  family: 'illicit_exposure',
  indicator: 'parties',
  exemptService: true,
  detect(ledger) {
    if (!ledger.sharedLayer || !sharesLayer(ledger)) return [];
    const { usd, wallets, takers, evidence, span } = ledger.sharedLayer;
    const { high_from_usd } = RULES.shared_layer;
    return [
      {
        severity: usd >= high_from_usd ? 'HIGH' : 'MEDIUM',
        thresholds: RULES.shared_layer,
        measured: {
          usd: rounded(usd),
          share: rounded(Math.min(1, usd / totalUsd(sent(ledger)))),
          senders: unlabelledOf(ledger).size,
          wallets: wallets.length,
          entities: namesOf(ledger, takers),
        },
        movements: [],
        elsewhere: { evidence, counterparties: [...takers, ...wallets], ways: [], span },
      },
    ];
  },
};

/** True for such a collector: what excuses a business does not excuse it. */
export const sharesLayer = perLedger((ledger): boolean => {
  const { senders, senders_mainly, passed_share, layer_share, layer_mainly_share, from_usd } = RULES.shared_layer;
  const usd = ledger.sharedLayer?.usd ?? 0;
  const [gotUsd, sentUsd] = [totalUsd(received(ledger)), totalUsd(sent(ledger))];
  // Of few payers nearly all must go there: who pays his rent to a bad landlord also lives.
  const isMainly = usd >= layer_mainly_share * sentUsd;
  const isPassedOn = sentUsd >= passed_share * gotUsd && (isMainly || usd >= layer_share * sentUsd);
  if (usd < from_usd || !isPassedOn) return false;
  // A few who pay again and again are customers or his own wallets.
  const isOfStrangers = isMainly && new Set(strangers(ledger).map(({ owner }) => owner)).size >= senders_mainly;
  return isOfStrangers || unlabelledOf(ledger).size >= senders;
});

function unlabelledOf(ledger: Ledger): Set<string> {
  const payments = received(ledger).filter(({ movements }) =>
    movements.every(({ counterparty }) => ledger.categoryOf(counterparty) === null),
  );
  return new Set(payments.map(({ owner }) => owner));
}

import type { Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { DAY, HOUR, label, party, receive, type Setting, send, T0, USDC } from './world.ts';

export interface DetectorCase {
  id: string;
  severity: string;
  /** Just enough to fire. */
  fires: () => Transfer[];
  /** One step short of it. */
  below: () => Transfer[];
  labels?: Label[];
  chain?: Setting['chain'];
}

const MINUTE = HOUR / 60;
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const fromMany = (n: number, usd: number, gap: number) => times(n, (i) => receive(party(i), usd, T0 + i * gap));
const toMany = (n: number, usd: number, gap: number, start = T0) =>
  times(n, (i) => send(party(i), usd, start + i * gap));

const X = party(9_001);
const bad = (category: Label['category']) => [label(X, category)];
const rest = (usd: number) => receive(party(9_002), usd, T0 - 30 * DAY);

/** One case for each grade that matters of each detector that looks at transfers. */
export const DETECTOR_CASES: DetectorCase[] = [
  ...(['sanctioned', 'terrorism'] as const).flatMap((category): DetectorCase[] => {
    const one = { id: category === 'sanctioned' ? 'sanctions_direct' : 'terrorism_exposure', labels: bad(category) };
    return [
      {
        ...one,
        severity: 'MEDIUM',
        fires: () => [send(X, 0.01), send(party(1), 5)],
        below: () => [send(X, 0.01, T0, { failed: true })],
      },
      {
        ...one,
        severity: 'HIGH',
        fires: () => [send(X, 10), send(party(1), 1_000)],
        below: () => [send(X, 9.99), send(party(1), 1_000)],
      },
      {
        ...one,
        severity: 'CRITICAL',
        fires: () => [send(X, 100), send(party(1), 9_900)],
        below: () => [send(X, 99), send(party(1), 9_000)],
      },
      {
        ...one,
        severity: 'CRITICAL',
        fires: () => [send(X, 1_000), send(party(1), 200_000)],
        below: () => [send(X, 999), send(party(1), 200_000)],
      },
      {
        ...one,
        severity: 'MEDIUM',
        fires: () => [receive(X, 100), rest(1_000_000)],
        below: () => [receive(X, 99), rest(1_000_000)],
      },
      {
        ...one,
        severity: 'HIGH',
        fires: () => [receive(X, 1_000), rest(99_000)],
        below: () => [receive(X, 1_000), rest(99_100)],
      },
      {
        ...one,
        severity: 'CRITICAL',
        fires: () => [receive(X, 1_000), rest(9_000)],
        below: () => [receive(X, 999), rest(8_991)],
      },
      {
        ...one,
        severity: 'CRITICAL',
        fires: () => [receive(X, 100_000), rest(4_900_000)],
        below: () => [receive(X, 99_999), rest(4_800_000)],
      },
    ];
  }),
  ...(['darknet', 'child_abuse', 'drainer', 'theft', 'ransomware', 'scam'] as const).flatMap(
    (category): DetectorCase[] => {
      const one = { id: `${category}_exposure`, labels: bad(category) };
      return [
        {
          ...one,
          severity: 'MEDIUM',
          fires: () => [receive(X, 100), rest(9_900)],
          below: () => [receive(X, 99), rest(9_801)],
        },
        {
          ...one,
          severity: 'HIGH',
          fires: () => [receive(X, 1_000), rest(19_000)],
          below: () => [receive(X, 1_000), rest(19_001)],
        },
        {
          ...one,
          severity: 'CRITICAL',
          fires: () => [receive(X, 1_000), rest(3_000)],
          below: () => [receive(X, 999), rest(2_997)],
        },
        {
          ...one,
          severity: 'CRITICAL',
          fires: () => [receive(X, 250_000), rest(10_000_000)],
          below: () => [receive(X, 249_999), rest(10_000_000)],
        },
      ];
    },
  ),
  ...(['darknet', 'child_abuse'] as const).flatMap((category): DetectorCase[] => {
    const one = { id: `${category}_exposure`, labels: bad(category) };
    return [
      {
        ...one,
        severity: 'MEDIUM',
        fires: () => [send(X, 10), send(party(1), 100_000)],
        below: () => [send(X, 9.99), send(party(1), 100_000)],
      },
      {
        ...one,
        severity: 'HIGH',
        fires: () => [send(X, 100), send(party(1), 1_900)],
        below: () => [send(X, 100), send(party(1), 1_901)],
      },
      {
        ...one,
        severity: 'HIGH',
        fires: () => [send(X, 10_000), send(party(1), 490_000)],
        below: () => [send(X, 9_999), send(party(1), 480_000)],
      },
      {
        ...one,
        severity: 'CRITICAL',
        fires: () => [send(X, 1_000), send(party(1), 3_000)],
        below: () => [send(X, 999), send(party(1), 2_997)],
      },
    ];
  }),
  ...(['drainer', 'theft', 'ransomware', 'scam'] as const).map((category): DetectorCase => {
    return {
      id: `${category}_exposure`,
      labels: bad(category),
      severity: 'MEDIUM',
      fires: () => [send(X, 100)],
      below: () => [send(X, 99)],
    };
  }),
  ...(['mixer', 'high_risk_exchange'] as const).flatMap((category): DetectorCase[] => {
    const one = { id: `${category}_exposure`, labels: bad(category) };
    return [
      {
        ...one,
        severity: 'MEDIUM',
        fires: () => [send(X, 100), send(party(1), 9_900)],
        below: () => [send(X, 100), send(party(1), 9_901)],
      },
      {
        ...one,
        severity: 'HIGH',
        fires: () => [receive(X, 1_000), rest(9_000)],
        below: () => [receive(X, 999), rest(8_991)],
      },
      {
        ...one,
        severity: 'HIGH',
        fires: () => [send(X, 10_000), send(party(1), 200_000)],
        below: () => [send(X, 9_999), send(party(1), 200_000)],
      },
    ];
  }),
  {
    id: 'gambling_exposure',
    severity: 'LOW',
    labels: bad('gambling'),
    fires: () => [send(X, 200), send(party(1), 800)],
    below: () => [send(X, 199), send(party(1), 801)],
  },
  {
    id: 'gambling_exposure',
    severity: 'MEDIUM',
    labels: bad('gambling'),
    fires: () => [receive(X, 500), rest(500)],
    below: () => [receive(X, 499), rest(501)],
  },
  {
    id: 'fan_in',
    severity: 'MEDIUM',
    fires: () => [...fromMany(10, 500, HOUR), send(party(99), 2_500, T0 + 12 * HOUR)],
    below: () => [...fromMany(10, 500, HOUR), send(party(99), 2_499, T0 + 12 * HOUR)],
  },
  {
    id: 'fan_in',
    severity: 'MEDIUM',
    fires: () => [...fromMany(20, 250, 1.5 * DAY), send(party(99), 2_500, T0 + 35 * DAY)],
    below: () => [...fromMany(20, 250, 1.6 * DAY), send(party(99), 2_500, T0 + 35 * DAY)],
  },
  {
    id: 'fan_in',
    severity: 'HIGH',
    fires: () => [...fromMany(50, 100, 10 * MINUTE), send(party(99), 3_000, T0 + DAY)],
    below: () => [...fromMany(49, 110, 10 * MINUTE), send(party(99), 3_000, T0 + DAY)],
  },
  {
    id: 'fan_in',
    severity: 'HIGH',
    fires: () => [...fromMany(10, 500, HOUR), send(party(99), 4_000, T0 + 12 * HOUR)],
    below: () => [...fromMany(10, 500, HOUR), send(party(99), 3_999, T0 + 12 * HOUR)],
  },
  {
    id: 'rapid_distribution',
    severity: 'MEDIUM',
    fires: () => toMany(10, 500, 6 * MINUTE),
    below: () => toMany(9, 600, 6 * MINUTE),
  },
  {
    id: 'rapid_distribution',
    severity: 'HIGH',
    fires: () => [receive(party(99), 4_000, T0 - HOUR), ...toMany(10, 500, 6 * MINUTE)],
    below: () => [receive(party(99), 3_999, T0 - HOUR), ...toMany(10, 500, 6 * MINUTE)],
  },
  {
    id: 'fan_out',
    severity: 'MEDIUM',
    fires: () => toMany(20, 250, HOUR),
    below: () => toMany(20, 249, HOUR),
  },
  {
    id: 'fan_out',
    severity: 'HIGH',
    fires: () => [receive(party(99), 4_000, T0 - DAY), ...toMany(20, 250, HOUR)],
    below: () => [receive(party(99), 4_000, T0 - DAY - 1), ...toMany(20, 250, HOUR)],
  },
  {
    id: 'gather_scatter',
    severity: 'HIGH',
    fires: () => [...fromMany(3, 2_000, HOUR), ...times(3, (i) => send(party(50 + i), 1_600, T0 + DAY + i * HOUR))],
    below: () => [...fromMany(3, 2_000, HOUR), ...times(3, (i) => send(party(50 + i), 1_599, T0 + DAY + i * HOUR))],
  },
  {
    id: 'gather_scatter',
    severity: 'HIGH',
    fires: () => [...fromMany(3, 2_000, DAY), ...times(3, (i) => send(party(50 + i), 2_000, T0 + (20 + i) * DAY))],
    below: () => [...fromMany(3, 2_000, DAY), ...times(3, (i) => send(party(50 + i), 2_000, T0 + (31 + i) * DAY))],
  },
  {
    id: 'pass_through',
    severity: 'HIGH',
    fires: () => [receive(party(1), 10_000), send(party(2), 9_000, T0 + HOUR)],
    below: () => [receive(party(1), 10_000), send(party(2), 8_999, T0 + HOUR)],
  },
  {
    id: 'pass_through',
    severity: 'MEDIUM',
    fires: () =>
      times(3, (i) => [
        receive(party(1), 1_000, T0 + i * 3 * DAY),
        send(party(2), 1_000, T0 + i * 3 * DAY + 24 * HOUR),
      ]).flat(),
    below: () =>
      times(3, (i) => [
        receive(party(1), 1_000, T0 + i * 3 * DAY),
        send(party(2), 1_000, T0 + i * 3 * DAY + 25 * HOUR),
      ]).flat(),
  },
  {
    id: 'cycle',
    severity: 'MEDIUM',
    fires: () => times(3, (i) => [send(X, 400, T0 + 2 * i * DAY), receive(X, 280, T0 + (2 * i + 1) * DAY)]).flat(),
    below: () => times(3, (i) => [send(X, 400, T0 + 2 * i * DAY), receive(X, 279, T0 + (2 * i + 1) * DAY)]).flat(),
  },
  {
    id: 'peel_chain',
    severity: 'LOW',
    chain: 'bitcoin',
    fires: () => [receive(party(1), 1_000), ...toMany(3, 50, DAY, T0 + HOUR)],
    below: () => [receive(party(1), 1_000), ...toMany(2, 50, DAY, T0 + HOUR)],
  },
  {
    id: 'peel_chain',
    severity: 'MEDIUM',
    chain: 'bitcoin',
    fires: () => [receive(party(1), 1_000), ...toMany(5, 50, DAY, T0 + HOUR)],
    below: () => [receive(party(1), 1_000), ...toMany(4, 50, DAY, T0 + HOUR)],
  },
  {
    id: 'peel_chain',
    severity: 'HIGH',
    chain: 'bitcoin',
    fires: () => [receive(party(100), 1_000), ...toMany(10, 50, DAY, T0 + HOUR)],
    below: () => [receive(party(100), 1_000), ...toMany(9, 50, DAY, T0 + HOUR)],
  },
  {
    id: 'wash_trading',
    severity: 'HIGH',
    fires: () => washTrades(3, 250),
    below: () => washTrades(3, 166),
  },
  {
    id: 'wash_trading',
    severity: 'MEDIUM',
    fires: () => nftTrades(2),
    below: () => nftTrades(1),
  },
  {
    id: 'structuring',
    severity: 'MEDIUM',
    fires: () => times(3, (i) => send(X, 2_400, T0 + i * HOUR)),
    below: () => times(2, (i) => send(X, 2_400, T0 + i * HOUR)),
  },
  {
    id: 'structuring',
    severity: 'HIGH',
    fires: () => times(10, (i) => receive(X, 9_900, T0 + i * 12 * HOUR)),
    below: () => times(9, (i) => receive(X, 9_900, T0 + i * 12 * HOUR)),
  },
  { id: 'large_transfer', severity: 'LOW', fires: () => [send(X, 10_000)], below: () => [send(X, 9_999)] },
  { id: 'large_transfer', severity: 'MEDIUM', fires: () => [send(X, 100_000)], below: () => [send(X, 99_999)] },
  {
    id: 'large_transfer',
    severity: 'HIGH',
    labels: [label(party(7), 'darknet')],
    fires: () => [receive(party(7), 200_000, T0 - DAY), rest(1_000_000), send(X, 1_000_000)],
    below: () => [receive(party(7), 100_000, T0 - DAY), rest(1_000_000), send(X, 1_000_000)],
  },
  {
    id: 'high_velocity',
    severity: 'MEDIUM',
    fires: () => [...habit(), ...times(50, () => send(X, 5, T0 + 29.5 * DAY))],
    below: () => [...habit(), ...times(49, (i) => send(X, 5, T0 + 29.5 * DAY + i * 4 * MINUTE))],
  },
  {
    id: 'high_velocity',
    severity: 'MEDIUM',
    fires: () => times(3, (i) => receive(party(i), 10_000, T0 + i * 12 * HOUR)),
    below: () => times(3, (i) => receive(party(i), 9_999, T0 + i * 12 * HOUR)),
  },
  {
    id: 'dormant_reactivation',
    severity: 'MEDIUM',
    fires: () => [receive(X, 3_000), send(X, 1_000, T0 + DAY), send(party(3), 1_000, T0 + 181 * DAY)],
    below: () => [receive(X, 3_000), send(X, 1_000, T0 + DAY), send(party(3), 1_000, T0 + 180 * DAY)],
  },
  {
    id: 'dormant_reactivation',
    severity: 'HIGH',
    fires: () => [receive(X, 3_000), send(X, 1_000, T0 + DAY), send(party(3), 1_000, T0 + 366 * DAY)],
    below: () => [receive(X, 3_000), send(X, 1_000, T0 + DAY), send(party(3), 999, T0 + 366 * DAY)],
  },
  {
    id: 'new_address_large_inflow',
    severity: 'MEDIUM',
    fires: () => [receive(X, 4_000), receive(X, 6_000, T0 + 24 * HOUR)],
    below: () => [receive(X, 4_000), receive(X, 6_000, T0 + 24 * HOUR + 1)],
  },
  {
    id: 'new_address_large_inflow',
    severity: 'HIGH',
    labels: bad('darknet'),
    fires: () => [receive(X, 100_000)],
    below: () => [receive(X, 99_999)],
  },
  {
    id: 'cex_cash_out',
    severity: 'LOW',
    labels: bad('exchange'),
    fires: () => [send(X, 5_000), send(party(1), 5_000)],
    below: () => [send(X, 5_000), send(party(1), 5_001)],
  },
  {
    id: 'cex_cash_out',
    severity: 'HIGH',
    labels: [...bad('exchange'), label(party(7), 'scam')],
    fires: () => [receive(party(7), 100, T0 - DAY), rest(99_900), send(X, 5_000)],
    below: () => [receive(party(7), 100, T0 - DAY - 1), rest(99_900), send(X, 5_000)],
  },
  {
    id: 'chain_hopping',
    severity: 'MEDIUM',
    labels: [label(party(1), 'bridge'), label(party(2), 'bridge')],
    fires: () => [send(party(1), 500), send(party(2), 500, T0 + DAY)],
    below: () => [send(party(1), 500), send(party(2), 500, T0 + DAY + 1)],
  },
  {
    id: 'chain_hopping',
    severity: 'HIGH',
    labels: [label(party(1), 'bridge'), label(party(2), 'bridge'), label(party(7), 'scam')],
    fires: () => [
      receive(party(7), 100, T0 - 7 * DAY),
      rest(9_900),
      send(party(1), 500),
      send(party(2), 500, T0 + DAY),
    ],
    below: () => [
      receive(party(7), 99.99, T0 - 7 * DAY),
      rest(9_900),
      send(party(1), 500),
      send(party(2), 500, T0 + DAY),
    ],
  },
  {
    id: 'high_fee_loss',
    severity: 'MEDIUM',
    fires: () => times(3, (i) => conversion(i, 100, 95, 'USDC')).flat(),
    below: () => times(3, (i) => conversion(i, 100, 95.01, 'USDC')).flat(),
  },
  {
    id: 'privacy_asset',
    severity: 'MEDIUM',
    fires: () => conversion(1, 100, 99, 'wXMR'),
    below: () => conversion(1, 100, 99, 'USDC'),
  },
  {
    id: 'address_poisoning',
    severity: 'LOW',
    fires: () => [send(GENUINE, 500), bait(HOUR)],
    below: () => [send(GENUINE, 500), bait(-HOUR)],
  },
  {
    id: 'poisoning_loss',
    severity: 'LOW',
    fires: () => [send(GENUINE, 500), bait(HOUR), send(LOOKALIKE, 10, T0 + DAY)],
    below: () => [send(GENUINE, 500), bait(HOUR), send(LOOKALIKE, 9.99, T0 + DAY)],
  },
  {
    id: 'poisoning_loss',
    severity: 'MEDIUM',
    fires: () => [send(GENUINE, 500), bait(HOUR), send(LOOKALIKE, 100, T0 + DAY)],
    below: () => [send(GENUINE, 500), bait(HOUR), send(LOOKALIKE, 99.99, T0 + DAY)],
  },
];

const GENUINE = '0xabcd111111111111111111111111111111111234';
const LOOKALIKE = '0xabcd222222222222222222222222222222221234';

/** A zero-value event in the subject's name that the subject never signed. */
function bait(after: number): Transfer {
  return send(LOOKALIKE, null, T0 + after, {
    amount: '0',
    token: USDC,
    asset: 'USDC',
    kind: 'token',
    txSender: party(666),
  });
}

/** Sixteen busy days of one transaction each. */
function habit(): Transfer[] {
  return times(16, (i) => send(party(i % 3), 5, T0 + i * DAY));
}

function washTrades(trips: number, usd: number): Transfer[] {
  const token = {
    token: '0x7777777777777777777777777777777777777777',
    asset: 'PUMP',
    kind: 'token',
    amount: '1000',
  } as const;
  return times(trips, (i) => [
    send(X, usd, T0 + 20 * i * DAY, token),
    receive(X, usd, T0 + (20 * i + 10) * DAY, token),
  ]).flat();
}

function nftTrades(trips: number): Transfer[] {
  const item = {
    token: '0x8888888888888888888888888888888888888888',
    asset: 'ART',
    kind: 'nft',
    asked: true,
    amount: '1',
    tokenId: '7',
  } as const;
  const txHash = (i: number, way: number) => `0x${way}${i}`.padEnd(66, 'e');
  return times(trips, (i) => [
    send(X, null, T0 + 20 * i * DAY, { ...item, index: 'log:1', txHash: txHash(i, 1) }),
    receive(X, 500, T0 + 20 * i * DAY, { txHash: txHash(i, 1) }),
    receive(X, null, T0 + (20 * i + 9) * DAY, { ...item, index: 'log:1', txHash: txHash(i, 2) }),
    send(X, 500, T0 + (20 * i + 9) * DAY, { txHash: txHash(i, 2) }),
  ]).flat();
}

function conversion(i: number, paid: number, got: number, asset: string): Transfer[] {
  const txHash = `0xc${i}`.padEnd(66, 'f');
  const at = T0 + i * 9 * DAY;
  return [
    send(party(70), paid, at, { txHash }),
    receive(party(70), got, at, { txHash, index: 'log:2', seq: 2, asset, token: USDC, kind: 'token' }),
  ];
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import { gapsOf, type ScanAnswer } from './score-trail.ts';

const CHAIN = 'ethereum';

type Scan = ScanAnswer & {
  detections: { details: { window: { from: string; to: string } | null } }[];
  metadata: { coverage: { complete: boolean } };
};

/** Ten verdicts with the level that fits the story and the first sentence, which must say why; null for none. */
const VERDICTS: [story: string, name: string, level: string, first: string | null][] = [
  ['clean_saver', 'saver', 'LOW', null],
  [
    'sanctioned_counterparty',
    'counterparty',
    'CRITICAL',
    'Sent 12,000 USD (2.95 ETH), 100% of the outflow, in 1 transfer to a sanctioned party (its list states no day of designation): Grey Heron Group. Dated 2025-12-31.',
  ],
  [
    'laundering',
    'layer_4',
    'CRITICAL',
    '100% of the inflow (75,300 USD: 18.24 ETH) comes from a sanctioned party (Demo Sanctions List: Night Crane), 4 hops away at the nearest; inferred across unlabelled wallets. The list states no day of designation. Dated 2026-02-28.',
  ],
  [
    'scam',
    'victim',
    'MEDIUM',
    'Lost 1,100 USD (0.2754 ETH) in 1 transfer to a scam: Double-your-coins giveaway. Dated 2026-04-05.',
  ],
  [
    'scam',
    'scam_cashier',
    'CRITICAL',
    'Received 12,000 USD (3.016 ETH), 100% of the inflow, in 1 transfer from a scam: Double-your-coins giveaway. Dated 2026-04-07.',
  ],
  [
    'mixer',
    'mixer_receiver',
    'HIGH',
    'Received 7,300 USD (1.696 ETH), 100% of the inflow, in 1 transfer from a mixer: Fogbank Mixer. Dated 2026-03-13.',
  ],
  [
    'drainer_approval',
    'victim_of_drainer',
    'MEDIUM',
    'Lost 6,400 USD (6,400 USDT) to a wallet drainer: Pale Siphon drainer. It was taken in 1 transfer by an approval or permit. Dated 2026-06-17.',
  ],
  [
    'pass_through',
    'relay',
    'MEDIUM',
    '98% of 24,000 USD (5.515 ETH) received in 4 payments left again within 25 minutes of receipt. With 0x7ce0dde285360decfe6d6afd3420d17865a625a3, 0xd75ea7815bc10333f8552382d81c5193dcd3d00a and 6 more. Dated 2026-07-18 to 2026-07-24.',
  ],
  [
    'dusted_celebrity',
    'celebrity',
    'LOW',
    'Received 45 USD (0.01061 ETH), 0.1% of the inflow, in 9 transfers from a sanctioned party (its list states no day of designation): Grey Heron Group. Nothing was ever sent to it, so this counts as unsolicited dust. Dated 2026-05-24 to 2026-06-09.',
  ],
  [
    'exchange_with_few_bad',
    'third_exchange',
    'LOW',
    'Received 200 USD (0.05139 ETH), 0.1% of the inflow, in 1 transfer from a sanctioned party (its list states no day of designation): Grey Heron Group. The amount is small. Dated 2026-07-08.',
  ],
];

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED });
});
afterAll(() => demo.close());

it.each(VERDICTS)(
  '%s, %s: level, reason, amounts and days are those of the story',
  async (story, name, level, first) => {
    const { world } = demo;
    const { address } = roleOf(world, CHAIN, story, name);
    const url = `${demo.url}/api/v1/public/scan?address=${address}&chain=${CHAIN}`;
    const scan = (await (await fetch(url, { headers: { 'x-api-key': demo.keys.enterprise } })).json()) as Scan;
    expect(scan.risk_level).toBe(level);
    expect(scan.detections[0]?.description ?? null).toBe(first);
    expect(scan.metadata.coverage.complete).toBe(true);

    const moves = world.moves[CHAIN].filter(({ failed }) => !failed);
    const statements = world.labels.filter(({ chain }) => chain === CHAIN || chain === 'evm');
    expect(gapsOf(scan, { transfers: world.moves[CHAIN], statements })).toEqual([]);
    for (const { detector_id, details } of scan.detections) {
      const hashes = new Set(details.evidence.map((id) => id.split('#')[0]));
      const shown = moves.filter(({ txHash }) => hashes.has(txHash));
      // Nothing is said of money that was not looked at: each transaction touches the address, or lies on a way to it.
      const onWays = new Set((details.ways ?? []).flatMap(({ path }) => path.map((id) => id.split('#')[0])));
      const foreign = shown.filter(({ txHash, from, to }) => from !== address && to !== address && !onWays.has(txHash));
      expect.soft([detector_id, foreign]).toEqual([detector_id, []]);
      if (details.window === null) continue;
      const rested = onWays.size > 0 ? moves.filter(({ txHash }) => onWays.has(txHash)) : shown;
      const days = rested.map(({ at }) => at).sort((a, b) => a - b);
      const within = (day: string, at: number) => Math.abs(Date.parse(day) - at) < 60_000;
      expect.soft([detector_id, within(details.window.from, days[0]!)]).toEqual([detector_id, true]);
      expect.soft([detector_id, within(details.window.to, days.at(-1)!)]).toEqual([detector_id, true]);
      for (const amount of (details.measured.amounts ?? []) as string[]) {
        const [quantity = '', symbol = ''] = amount.split(' ');
        const ofAsset = shown.filter((move) => move.symbol === symbol);
        const parts = [ofAsset, ofAsset.filter(({ to }) => to === address), ofAsset.filter(({ to }) => to !== address)];
        const sums = parts.map((part) => part.reduce((total, move) => total + Number(move.amount), 0));
        expect.soft([detector_id, ...sums]).toContainEqual(expect.closeTo(Number(quantity), 9));
      }
    }
  },
);

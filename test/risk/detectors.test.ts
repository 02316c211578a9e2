import { describe, expect, it } from 'vitest';
import { type Transfer, transferName } from '../../src/domain/transfers/transfer.ts';
import { mulberry32 } from '../../src/risk/anomaly/anomaly.ts';
import { DETECTORS } from '../../src/risk/scoring/detectors.ts';
import { seed } from '../setup/seed.ts';
import { DETECTOR_CASES } from './detector-cases.ts';
import { assessed, DAY, HOUR, label, party, receive, S, send, severities, suppression, T0 } from './world.ts';

const BY_ID = new Map(DETECTORS.toReversed().map((detector) => [detector.id, detector]));
const SPAM_TOKEN = '0x9999999999999999999999999999999999999999';

/** What clutters real histories: dust, unpriced tokens, failed and zero-value transfers, forged senders. */
function noise(): Transfer[] {
  return Array.from({ length: 40 }, (_, i) => [
    receive(party(5_000 + i), 0.000_000_1, T0 + i * HOUR),
    receive(party(5_100 + i), null, T0 + i * HOUR, { token: SPAM_TOKEN, asset: 'FREE', kind: 'token' }),
    send(party(5_200 + i), null, T0 + i * HOUR, { token: SPAM_TOKEN, asset: 'FREE', txSender: party(666) }),
    receive(party(5_300 + i), 50_000, T0 + i * HOUR, { failed: true }),
    send(party(5_400 + i), null, T0 + i * HOUR, { amount: '0', token: SPAM_TOKEN, txSender: party(666) }),
  ]).flat();
}

describe.each(DETECTOR_CASES)('$id at $severity', ({ id, severity, fires, below, labels = [], chain = 'ethereum' }) => {
  const detector = BY_ID.get(id)!;
  const setting = { labels, chain };

  it('fires at its threshold, with evidence that is in the history', () => {
    const transfers = fires();
    const assessment = assessed(transfers, setting);
    expect(severities(assessment, id)).toContain(severity);
    const known = new Set(transfers.map((t) => `${t.txHash}#${t.index}`));
    const { details } = assessment.detections.find((d) => d.detector_id === id)!;
    expect(details.evidence.length).toBeGreaterThan(0);
    expect(details.evidence.every((evidence) => known.has(evidence))).toBe(true);
    expect(details.coverage).toBe('complete');
  });

  it('does not reach it one step below', () => {
    expect(severities(assessed(below(), setting), id)).not.toContain(severity);
  });

  it('is listed and does not count on a labelled service, where services are exempt', () => {
    const service = label(S, 'exchange');
    const assessment = assessed(fires(), { ...setting, labels: [...labels, service] });
    if (detector.exemptService) {
      expect(severities(assessment, id)).toEqual([]);
      expect(suppression(assessment, id)).toContain('service_label');
    } else expect(severities(assessment, id)).not.toEqual([]);
  });

  it('says that the history was truncated, and does not fire then when it needs what is absent', () => {
    const assessment = assessed(fires(), { ...setting, complete: false });
    if (detector.needsFullHistory) {
      expect(severities(assessment, id)).toEqual([]);
      expect(suppression(assessment, id)).toContain('partial_history');
    } else {
      expect(severities(assessment, id)).toContain(severity);
      for (const { details } of assessment.detections) expect(details.coverage).toBe('partial');
    }
  });

  it('is neither set off nor hidden by noise and repetition', () => {
    const transfers = fires();
    expect(severities(assessed([...transfers, ...noise(), ...transfers], setting), id)).toContain(severity);
    expect(severities(assessed([...below(), ...noise()], setting), id)).not.toContain(severity);
  });
});

describe('guards against false alarms', () => {
  it('every detector that looks at transfers has its cases', () => {
    const labelled = ['sanctions_self', 'subject_category', 'known_malicious'];
    const elsewhere = [
      'co_spent_with_listed',
      'accomplice',
      'shared_layer',
      'beyond_reach',
      'sanctions_indirect',
      'indirect_exposure',
      'scatter_gather',
      'relay_chain',
      'ml_anomaly',
    ];
    const missing = DETECTORS.filter(({ id }) => !DETECTOR_CASES.some((c) => c.id === id)).map(({ id }) => id);
    expect([...new Set(missing)].sort()).toEqual([...labelled, ...elsewhere].sort());
  });

  it('counts deposits of known crossings as bridges, each protocol once, and names where they arrived', () => {
    const idOf = ({ id }: Transfer) => id;
    const arrived = (transfer: Transfer, protocol: string, chain: 'base' | 'arbitrum', arrivedTx: string) => ({
      transfer: idOf(transfer),
      protocol,
      chain,
      arrivedTx,
    });
    const [first, second, third] = [
      send(party(1), 600),
      send(party(2), 500, T0 + HOUR),
      send(party(3), 400, T0 + HOUR),
    ];
    const history = [first, second, third];
    const chainHopping = (bridged: ReturnType<typeof arrived>[], labels = [label(party(1), 'bridge')]) =>
      assessed(history, { labels, more: { bridged } }).detections.find((d) => d.detector_id === 'chain_hopping');

    expect(chainHopping([])).toBeUndefined();
    const found = chainHopping([
      arrived(second, 'across', 'base', '0xaa'),
      arrived(third, 'across', 'arbitrum', '0xbb'),
    ])!;
    expect(found.details.measured).toMatchObject({
      bridges: 2,
      usd: 1_500,
      crossings: 2,
      chains: ['arbitrum', 'base'],
      arrivals: ['base 0xaa', 'arbitrum 0xbb'],
    });
    expect(found.details.evidence).toEqual(history.map(transferName));
    expect(found.description).toContain('2 crossings arrived on arbitrum, base: base 0xaa, arbitrum 0xbb.');
    // A labelled contract whose crossing is known is its protocol's, not a second bridge.
    expect(chainHopping(history.map((one, i) => arrived(one, 'across', 'base', `0x${i}`)))).toBeUndefined();
    const labelled = chainHopping([], [label(party(1), 'bridge'), label(party(2), 'bridge')])!;
    expect(labelled.details.measured).toMatchObject({ bridges: 2, crossings: 0, chains: [], arrivals: [] });
    expect(labelled.description).not.toContain('arrived');
  });

  it('a payroll to people paid before is listed and does not count', () => {
    const month = (m: number) =>
      Array.from({ length: 25 }, (_, i) => send(party(i), 300, T0 + m * 30 * DAY + i * 1_000));
    const assessment = assessed(
      [...month(0), ...month(1), send(party(99), 300, T0 + 60 * DAY)]
        .slice(0, -1)
        .concat(send(party(30), 300, T0 + 30 * DAY + 30_000)),
    );
    expect(severities(assessment, 'fan_out')).toEqual([]);
    expect(suppression(assessment, 'fan_out')).toEqual(['recurring_recipients']);
  });

  it('what a merchant pays to those always paid is listed and does not count as scattered', () => {
    const week = (n: number) => [
      ...Array.from({ length: 5 }, (_, i) => receive(party(100 + 5 * n + i), 2_000, T0 + n * 7 * DAY + i * HOUR)),
      ...Array.from({ length: 4 }, (_, i) => send(party(i), 2_400, T0 + n * 7 * DAY + DAY + i * HOUR)),
    ];
    expect(severities(assessed(week(0)), 'gather_scatter')).toEqual(['HIGH']);
    const regulars = Array.from({ length: 4 }, (_, i) => send(party(i), 50, T0 - 60 * DAY));
    const assessment = assessed([...regulars, ...week(0), ...week(1), ...week(2)]);
    expect(severities(assessment, 'gather_scatter')).toEqual([]);
    expect(suppression(assessment, 'gather_scatter')).toEqual(['recurring_recipients']);
  });

  it('what is mostly paid to one always paid is listed and does not count as scattered', () => {
    const gathered = Array.from({ length: 6 }, (_, i) => receive(party(i), 2_000, T0 + i * HOUR));
    const small = Array.from({ length: 3 }, (_, i) => send(party(50 + i), 1_500, T0 + DAY + i * HOUR));
    const large = send(party(60), 7_000, T0 + 2 * DAY);
    expect(severities(assessed([...gathered, ...small, large]), 'gather_scatter')).toEqual(['HIGH']);
    const assessment = assessed([...gathered, ...small, large, send(party(60), 5_000, T0 - 60 * DAY)]);
    expect(severities(assessment, 'gather_scatter')).toEqual([]);
    expect(suppression(assessment, 'gather_scatter')).toEqual(['recurring_recipients']);
  });

  it('gathered money is found although a payroll to many regulars goes out beside it', () => {
    const gathered = Array.from({ length: 6 }, (_, i) => receive(party(i), 2_000, T0 + i * HOUR));
    const scattered = Array.from({ length: 3 }, (_, i) => send(party(50 + i), 3_600, T0 + DAY + i * HOUR));
    const payroll = (at: number) => Array.from({ length: 9 }, (_, i) => send(party(60 + i), 20, at + i));
    const all = [...payroll(T0 - 60 * DAY), ...payroll(T0 + 2 * DAY), ...gathered, ...scattered];
    expect(severities(assessed(all), 'gather_scatter')).toEqual(['HIGH']);
  });

  it('a shop that is paid and pays at the same time gathers nothing', () => {
    const gathered = Array.from({ length: 7 }, (_, i) => receive(party(i), 2_000, T0 + i * HOUR));
    const scattered = Array.from({ length: 7 }, (_, i) => send(party(50 + i), 1_900, T0 + DAY + i * HOUR));
    const severitiesWith = (...more: Transfer[]) =>
      severities(assessed([...gathered, ...scattered, ...more]), 'gather_scatter');
    // Together they move a quarter of what was gathered, which is still an episode.
    const [before, after] = [send(party(70), 1_500, T0 + 2 * HOUR), receive(party(71), 2_000, T0 + 2 * DAY)];
    expect(severitiesWith(before, after)).toEqual(['HIGH']);
    expect(severitiesWith(before, receive(party(71), 2_001, T0 + 2 * DAY))).toEqual([]);
  });

  it('gathered money is found although the subject settles up with a friend in between', () => {
    const gathered = Array.from({ length: 4 }, (_, i) => receive(party(i), 2_000, T0 + i * HOUR));
    const scattered = Array.from({ length: 4 }, (_, i) => send(party(50 + i), 1_900, T0 + DAY + i * HOUR));
    const friend = [receive(party(99), 40, T0 + HOUR), send(party(99), 30, T0 + DAY + HOUR)];
    expect(severities(assessed([...gathered, ...scattered, ...friend]), 'gather_scatter')).toEqual(['HIGH']);
  });

  it('money withdrawn from an exchange just before it is spent passes nothing through', () => {
    const shopping = [receive(party(1), 12_000), send(party(2), 11_900, T0 + HOUR)];
    expect(severities(assessed(shopping), 'pass_through')).toEqual(['HIGH']);
    expect(severities(assessed(shopping, { labels: [label(party(1), 'exchange')] }), 'pass_through')).toEqual([]);
  });

  it('an arbitrage bot whose money returns within each transaction passes nothing through', () => {
    const trades = Array.from({ length: 200 }, (_, i) => {
      const txHash = `0xb${i}`.padEnd(66, '0');
      const at = T0 + i * HOUR;
      return [send(party(1), 20_000, at, { txHash }), receive(party(2), 20_050, at, { txHash, index: 'log:1' })];
    }).flat();
    const found = assessed(trades).detections.map((d) => d.detector_id);
    expect(
      found.filter((id) => ['pass_through', 'cycle', 'fan_out', 'gather_scatter', 'structuring'].includes(id)),
    ).toEqual([]);
  });

  it('dust below a dollar makes no further sender', () => {
    const real = Array.from({ length: 9 }, (_, i) => receive(party(i), 600, T0 + i * HOUR));
    const dust = Array.from({ length: 30 }, (_, i) => receive(party(50 + i), 0.99, T0 + i * 60_000));
    expect(severities(assessed([...real, ...dust]), 'fan_in')).toEqual([]);
  });

  it('inputs that were spent together are one sender', () => {
    const txHash = `0x${'1'.repeat(64)}`;
    const joint = Array.from({ length: 30 }, (_, i) =>
      receive(party(i), 500, T0, { txHash, apportioned: true, index: `out:0:${i}` }),
    );
    expect(severities(assessed(joint, { chain: 'bitcoin' }), 'fan_in')).toEqual([]);
  });

  it('money to and fro between own addresses is set aside', () => {
    const trips = Array.from({ length: 4 }, (_, i) => [
      send(party(1), 900, T0 + i * DAY),
      receive(party(1), 900, T0 + i * DAY + HOUR),
    ]).flat();
    const assessment = assessed(trips, { labels: [label(party(1), 'self')] });
    expect(severities(assessment, 'cycle')).toEqual([]);
    expect(suppression(assessment, 'cycle')).toEqual(['whitelist']);
  });

  it('the oddest week of a busy payer is not structuring', () => {
    const random = mulberry32(seed);
    const payers = Array.from({ length: 100 }, () =>
      Array.from({ length: 150 }, (_, i) =>
        send(party(1), 300 * 10 ** (2 * random() - 1), T0 + (i + random()) * 29 * HOUR),
      ),
    );
    const found = payers.filter((payments) => severities(assessed(payments), 'structuring').length > 0);
    // About one payer in a hundred by chance (`chance_max`), and about 25 where each window is judged alone.
    expect(found.length).toBeLessThanOrEqual(8);
  });

  it('round payments just below a limit are not structuring for a payer who always pays that sum', () => {
    const rents = Array.from({ length: 40 }, (_, i) => send(party(i), 900, T0 + i * DAY));
    const toOne = Array.from({ length: 4 }, (_, i) => send(party(77), 900, T0 + (50 + i) * DAY));
    expect(severities(assessed([...rents, ...toOne]), 'structuring')).toEqual([]);
  });

  it('structuring is seen beside open payments to the same party, before, after and between them', () => {
    const usual = Array.from({ length: 120 }, (_, i) => send(party(100 + i), 100 + i, T0 + i * DAY));
    const below = (...hours: number[]) => hours.map((hour) => send(party(1), 9_500, T0 + 50 * DAY + hour * HOUR));
    const open = (hour: number) => send(party(1), 96_000, T0 + 50 * DAY + hour * HOUR);
    const found = (payments: Transfer[]) => {
      return assessed(payments).detections.find((d) => d.detector_id === 'structuring')?.details.measured.transfers;
    };
    expect(found([...usual, ...below(0, 10, 20, 30), open(40), ...below(50, 60, 70)])).toBe(4);
    expect(found([...usual, ...below(0, 10, 20), open(40), ...below(50, 60, 70, 80)])).toBe(4);
    // The longest run is not the one that avoids a limit.
    expect(found([...usual, ...below(0, 10, 20, 30, 50), open(40), ...below(500, 510, 520, 530)])).toBe(4);
    // One who openly pays each time avoids nothing.
    expect(found([...usual, ...below(0, 10, 20, 30), ...[5, 15, 25].map(open)])).toBeUndefined();
  });

  it('a staking contract with many depositors is listed and does not count', () => {
    const deposits = Array.from({ length: 60 }, (_, i) => receive(party(i), 500, T0 + i * 60_000));
    const redeemed = send(party(99), 20_000, T0 + DAY);
    for (const addressType of ['contract', 'program']) {
      const assessment = assessed([...deposits, redeemed], { addressType });
      expect(severities(assessment, 'fan_in')).toEqual([]);
      expect(suppression(assessment, 'fan_in')).toEqual(['contract_address']);
    }
  });

  it('yen limits are used when the rate of the day is known, and off otherwise', () => {
    const payments = () => Array.from({ length: 3 }, (_, i) => send(party(1), 650, T0 + i * HOUR));
    expect(severities(assessed(payments()), 'structuring')).toEqual([]);
    const yen = assessed(payments(), { more: { usdPerYen: () => 0.0067 } });
    expect(yen.detections.find((d) => d.detector_id === 'structuring')?.details.measured.limit).toBe('JPY 100000');
  });
});

import { expect, it } from 'vitest';
import { at, Planted, SUBJECT } from '../../fixtures/levels/planted.ts';
import { frozenFields, keepFreezes } from '../../src/labels/issuer-freezes.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { fileOf, type Loading, openLoading } from '../graph-loaders/loading.ts';
import { onBothStores } from '../records/on-both-stores.ts';
import { seed } from '../setup/seed.ts';
import { labelOf } from './label-of.ts';

const NOW = Date.UTC(2026, 4, 5);
const DAY = 86_400_000;
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const frozenAt = { chain: 'ethereum', address: '0x00000000000000000000000000000000000000f1' } as const;

onBothStores('what issuers froze', (open) => {
  const opened = async () => {
    let at = NOW;
    const labels = openLabelStore(await open(), () => at);
    const fields = async () =>
      frozenFields((await labels.find('ethereum', [frozenAt.address])).get(frozenAt.address) ?? [], at);
    const keep = async (
      frozen: { token: string; since: number | null }[] | undefined,
      now = at,
      unfrozen?: string[] | 'others',
    ) => {
      at = now;
      await keepFreezes(labels, frozenAt, { frozen, unfrozen }, at);
      return fields();
    };
    return { labels, keep };
  };

  it('stays until a reading finds it free, and a source that was not asked changes nothing', async () => {
    const { labels, keep } = await opened();
    const day = { token: USDT, since: NOW - 9 * DAY };
    const usdt = { asset: 'USDT', since: new Date(day.since).toISOString(), source: 'issuer:USDT ethereum' };
    expect(await keep([day])).toEqual({ frozen_since: usdt.since, frozen: [usdt] });
    const changes = await labels.countChanges();
    expect(await keep([{ token: USDT, since: null }], NOW + DAY)).toEqual({ frozen_since: usdt.since, frozen: [usdt] });
    expect(await keep(undefined)).toEqual({ frozen_since: usdt.since, frozen: [usdt] });
    expect(await labels.countChanges()).toBe(changes);
    const both = await keep([day, { token: USDC, since: null }]);
    expect(both.frozen?.map(({ asset, since }) => [asset, since])).toEqual(
      expect.arrayContaining([
        ['USDT', usdt.since],
        ['USDC', null],
      ]),
    );
    // Dust of other tokens can push the frozen one out of what a reading asks for.
    expect(await keep([], NOW + DAY, [USDC])).toEqual({ frozen_since: usdt.since, frozen: [usdt] });
    expect(await keep([], NOW + 2 * DAY, [USDT])).toEqual({});
    await keep([day]);
    expect(await keep([], NOW + 2 * DAY, 'others')).toEqual({});
    expect(await keep([{ token: USDC, since: null }])).toMatchObject({ frozen_since: null });
  });

  it('is a report of a token of a known issuer alone', async () => {
    const { labels, keep } = await opened();
    expect(await keep([{ token: '0x00000000000000000000000000000000000000aa', since: NOW }])).toEqual({});
    await keep([{ token: USDC, since: NOW - DAY }]);
    const [label] = (await labels.find('ethereum', [frozenAt.address])).get(frozenAt.address)!;
    expect(label).toMatchObject({ category: 'scam', confidence: 60, label: 'Frozen by Circle (USDC)' });
  });
});

it('reads what a loaded list states too, once for each token, since the first day that is known', () => {
  const listed = labelOf({ category: 'scam', source: 'freezes:USDT tron', validFrom: NOW - 3 * DAY });
  const stated = labelOf({ category: 'scam', source: 'issuer:USDT tron', validFrom: null });
  const ended = labelOf({
    category: 'scam',
    source: 'freezes:USDC tron',
    validFrom: NOW - 9 * DAY,
    validTo: NOW - DAY,
  });
  const since = new Date(NOW - 3 * DAY).toISOString();
  expect(frozenFields([stated, listed, ended], NOW)).toEqual({
    frozen_since: since,
    frozen: [{ asset: 'USDT', since, source: 'freezes:USDT tron' }],
  });
});

it('gives the same level whether a list or the chain states it, to the address and to those who dealt with it', async () => {
  const levelsBy = async (state: (loading: Loading) => Promise<unknown>) => {
    const loading = await openLoading();
    await state(loading);
    const [label] = (await loading.labels.find('ethereum', [frozenAt.address])).get(frozenAt.address)!;
    return [SUBJECT, frozenAt.address].map((address) => {
      const planted = new Planted(seed);
      planted.labelled(label!.category, { ...label!, address });
      planted.receive(address === SUBJECT ? planted.someone() : address, 60_000, at(100));
      planted.receive(planted.labelled('exchange'), 9_000, at(120));
      planted.send(planted.someone(), 50_000, at(200));
      const { risk_level, risk_score, detections } = assess(planted.input());
      const found = detections.map(({ detector_id, severity, details }) => [detector_id, severity, details.variant]);
      return [risk_level, risk_score, found];
    });
  };
  const row = `address,token,chain,date\n${frozenAt.address},USDT,ethereum,2025-05-05\n`;
  const listed = await levelsBy(({ load }) => load('freezes', fileOf('frozen.csv', row)));
  const stated = await levelsBy(({ labels }) =>
    keepFreezes(labels, frozenAt, { frozen: [{ token: USDT, since: Date.UTC(2025, 4, 5) }] }, NOW),
  );
  expect(stated).toEqual(listed);
  expect(stated).toMatchObject([
    ['HIGH', expect.any(Number), expect.arrayContaining([['subject_category', 'HIGH', 'frozen']])],
    ['MEDIUM', expect.any(Number), expect.arrayContaining([['scam_exposure', 'MEDIUM', 'received']])],
  ]);
});

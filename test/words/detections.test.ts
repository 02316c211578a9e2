import { expect, it, describe as suite } from 'vitest';
import { assess } from '../../src/risk/scoring/assess.ts';
import { DETECTORS } from '../../src/risk/scoring/detectors.ts';
import { describe } from '../../words/describe.ts';
import { WORDS } from '../../words/words.ts';
import { DETECTOR_CASES } from '../risk/detector-cases.ts';
import { assessed, inputOf, label, party, receive, S, send, T0 } from '../risk/world.ts';

const { en, ja } = WORDS;

const JAPANESE = /[぀-ヿ一-鿿]/;
const texts: Record<'en' | 'ja', Record<string, string>> = { en: en.detections.texts, ja: ja.detections.texts };
const names: Record<'en' | 'ja', Record<string, string>> = { en: en.detections.names, ja: ja.detections.names };
const placeholders = (text: string) => new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]));

suite('the texts of detections', () => {
  it('exist in both languages for every detector and variant, with the same figures', () => {
    for (const { id } of DETECTORS) {
      expect(names.en[id], id).toBeTruthy();
      expect(names.ja[id], id).toMatch(JAPANESE);
    }
    for (const [key, text] of Object.entries(texts.en)) {
      expect([key, placeholders(texts.ja[key]!)]).toEqual([key, placeholders(text)]);
      expect(texts.ja[key], key).toMatch(/。$/);
    }
  });

  it.each(DETECTOR_CASES)('$id at $severity leave no gap in either language', ({ fires, labels = [], chain }) => {
    for (const lang of ['en', 'ja'] as const) {
      const { detections } = assessed(fires(), { labels, ...(chain ? { chain } : {}), more: { lang } });
      for (const { detector_id, description } of detections) {
        expect([detector_id, description]).not.toEqual([detector_id, '']);
        expect(description).not.toMatch(/^\p{Ll}|[{}]|undefined|NaN|null/u);
        expect(description).not.toMatch(/\d{2,}\.\d+ days|\d{2,}\.\d+日間/);
        expect(JAPANESE.test(description)).toBe(lang === 'ja');
      }
    }
  });

  it.each(DETECTOR_CASES)('$id at $severity name the asset wherever its amount is measured', (one) => {
    const { fires, labels = [], chain } = one;
    for (const lang of ['en', 'ja'] as const) {
      const { detections } = assessed(fires(), { labels, ...(chain ? { chain } : {}), more: { lang } });
      for (const { description, details } of detections) {
        const { amounts = [] } = details.measured;
        for (const amount of amounts as string[]) expect(description).toContain(amount.split(' ')[1]);
      }
    }
  });

  it('can be written again in the other language from what was stored', () => {
    const input = inputOf([send(party(1), 1_234.5, T0)], { labels: [label(party(1), 'mixer'), label(S, 'scam')] });
    const stored = JSON.parse(JSON.stringify(assess(input))) as ReturnType<typeof assess>;
    const japanese = assess({ ...input, lang: 'ja' });
    expect(stored.detections.map((d) => ({ ...d, ...describe(d, 'ja') }))).toEqual(japanese.detections);
  });

  it('read naturally', () => {
    const transfers = [send(party(1), 1_234.5, T0)];
    const labels = [label(party(1), 'mixer')];
    expect(assessed(transfers, { labels }).detections[0]?.description).toBe(
      'Sent 1,234.50 USD (0.6172 ETH), 100% of the outflow, in 1 transfer to a mixer: a mixer. Dated 2024-01-01.',
    );
    expect(assessed(transfers, { labels, more: { lang: 'ja' } }).detections[0]?.description).toBe(
      'ミキサー「a mixer」へ1,234.50米ドル相当（0.6172 ETH）を送付しています（送付総額の100%、1件）。日付は2024年1月1日です。',
    );
  });

  it('say when it took place in every language, and not where time plays no part', () => {
    const window = { from: '2024-02-29T23:00:00.000Z', to: '2024-03-02T01:00:00.000Z' };
    const said = (lang: 'en' | 'ja' | 'es', when: typeof window | null) => {
      const details = { measured: { usd: 5_000, receivers: 20, minutes: 1_560 }, window: when };
      return describe({ detector_id: 'fan_out', details }, lang).description;
    };
    expect(said('en', window)).toMatch(/ Dated 2024-02-29 to 2024-03-02\.$/);
    expect(said('ja', window)).toMatch(/。期間は2024年2月29日から2024年3月2日までです。$/);
    expect(said('es', window)).toMatch(/ Fechas: 29\/02\/2024 a 02\/03\/2024\.$/);
    expect(said('en', null)).toMatch(/^Sent .*26 hours\.$/);
  });

  it('say who was on the other side in every language, by the names of labels, and how many more', () => {
    const said = (lang: 'en' | 'ja' | 'es', counterparty_count: number) => {
      const labels = [{ address: party(2), label: 'Kraken' }];
      const measured = { usd: 5_000, receivers: counterparty_count, minutes: 1_560 };
      const counterparties = [party(1), party(2), party(3)].slice(0, counterparty_count);
      const details = { measured, counterparties, counterparty_count, labels };
      return describe({ detector_id: 'fan_out', details }, lang).description;
    };
    expect(said('en', 60)).toMatch(new RegExp(` With ${party(1)}, Kraken and 58 more\\.$`));
    expect(said('en', 2)).toMatch(new RegExp(` With ${party(1)}, Kraken\\.$`));
    expect(said('ja', 60)).toMatch(new RegExp(`。相手方は${party(1)}、Krakenほか58件です。$`));
    expect(said('es', 60)).toMatch(new RegExp(` Con ${party(1)}, Kraken y 58 más\\.$`));
  });

  it('say in every language that tokens were newly issued or destroyed where nobody is on the other side', () => {
    const details = { measured: { usd: 150_000, amounts: ['150000 USDT'] }, counterparties: [`0x${'0'.repeat(40)}`] };
    const said = (lang: 'en' | 'ja' | 'es') => describe({ detector_id: 'large_transfer', details }, lang).description;
    expect(said('en')).toMatch(/ With newly issued or destroyed tokens\.$/);
    expect(said('ja')).toMatch(/。相手方はトークンの新規発行または焼却です。$/);
    expect(said('es')).toMatch(/ Con tokens recién emitidos o destruidos\.$/);
  });

  it('name those of the most value first', () => {
    const transfers = [9, 90, 50].map((usd, i) => send(party(i), 1_000 * usd, T0 + i));
    const labels = [0, 1, 2].map((i) => label(party(i), 'mixer'));
    const { counterparties } = assessed(transfers, { labels }).detections[0]!.details;
    expect(counterparties).toEqual([party(1), party(2), party(0)]);
  });

  it('name a theft in the first sentence, met directly or behind others', () => {
    const labels = [label(party(1), 'theft', { label: 'Ronin Bridge Exploiter' })];
    expect(assessed([receive(party(1), 2_000, T0)], { labels }).detections[0]?.description).toBe(
      'Received 2,000 USD (1 ETH), 100% of the inflow, in 1 transfer from the wallet of a theft: Ronin Bridge Exploiter. Dated 2024-01-01.',
    );
    const far = { category: 'theft', share: 0.98, usd: 75_300, min_hops: 4 };
    const textOf = (measured: Record<string, number | string | string[]>, lang: 'en' | 'ja') =>
      describe({ detector_id: 'indirect_exposure', details: { variant: 'received', measured } }, lang).description;
    expect(textOf({ ...far, entities: ['Ronin Bridge Exploiter'] }, 'en')).toBe(
      '98% of the inflow (75,300 USD) comes from the wallet of a theft (Ronin Bridge Exploiter), 4 hops away at the nearest; inferred across unlabelled wallets.',
    );
    expect(textOf({ ...far, entities: ['Ronin Bridge Exploiter'] }, 'ja')).toContain(
      'が、窃取事案のウォレット「Ronin Bridge Exploiter」から流入しています',
    );
    expect(textOf({ ...far, entities: [] }, 'en')).toContain('from the wallet of a theft, 4 hops');
    const assets = { ...far, amounts: ['30.5 ETH', '900 USDT'], entities: [] };
    expect(textOf(assets, 'en')).toContain('98% of the inflow (75,300 USD: 30.5 ETH, 900 USDT) comes from');
    expect(textOf(assets, 'ja')).toContain('受取総額の98%（75,300米ドル相当、30.5 ETH、900 USDT）が');
  });

  it('say the largest payment with its way and asset, and print the severity that it reaches without taint', () => {
    const transfers = [receive(party(1), 1_250_000, T0), send(party(2), 20_000, T0 + 1)];
    const found = assessed(transfers).detections.find(({ detector_id }) => detector_id === 'large_transfer')!;
    expect(found.description).toBe(
      `The largest payment received: 1,250,000 USD (625 ETH). With ${party(1)}. Dated 2024-01-01.`,
    );
    expect(found).toMatchObject({
      severity: 'MEDIUM',
      details: { thresholds: { high_usd: 1_000_000, tainted_share: 0.1, untainted_at_most: 'MEDIUM' } },
    });
    expect(describe(found, 'ja').description).toBe(
      `最大の移転（受取）は1,250,000米ドル相当（625 ETH）です。相手方は${party(1)}です。日付は2024年1月1日です。`,
    );
  });

  it('write limits as money and no share that is something as nothing', () => {
    const textOf = (
      detector_id: string,
      variant: string,
      measured: Record<string, number | string>,
      lang: 'en' | 'ja',
    ) => describe({ detector_id, details: { variant, measured } }, lang).description;
    const split = { minutes: 1_440, limit: 'USD 10000', transfers: 6, usd: 56_549.95 };
    expect(textOf('structuring', 'sent', split, 'en')).toContain('6 payments just below 10,000 USD to one receiver');
    expect(textOf('structuring', 'sent', split, 'ja')).toContain('10,000米ドルをわずかに下回る送付');
    expect(textOf('structuring', 'sent', { ...split, limit: 'JPY 2000000' }, 'en')).toContain('below 2,000,000 JPY to');
    expect(textOf('structuring', 'sent', { ...split, limit: 'JPY 2000000' }, 'ja')).toContain('2,000,000円をわずかに');
    const dust = { entities: 'Listed Ltd', usd: 0.62, share: 0.00004, transfers: 1 };
    expect(textOf('sanctions_direct', 'received_dust', dust, 'en')).toContain(
      '0.62 USD, less than 0.1% of the inflow, in',
    );
    expect(textOf('sanctions_direct', 'received_dust', dust, 'ja')).toContain('（受取総額の0.1%未満、1件）');
    expect(textOf('sanctions_direct', 'received_dust', { ...dust, share: 0 }, 'en')).toContain(
      '0.62 USD in 1 transfer',
    );
  });

  it('say days the way each language does', () => {
    const measured = { label: 'Listed Ltd', source: 'ofac', delisted_at: '2025-03-09T12:00:00.000Z' };
    const detection = {
      detector_id: 'sanctions_self',
      severity: 'LOW',
      details: { variant: 'delisted', measured },
    } as const;
    expect(describe(detection as never, 'en').description).toContain('until 2025-03-09 and');
    expect(describe(detection as never, 'ja').description).toContain('2025年3月9日に解除されています');
  });

  it('keep to the words of docs/japanese-terms.md, to です and ます, and to full-width marks', () => {
    const { names, texts } = ja.detections;
    const all = [...Object.values(names), ...Object.values(texts), ...Object.values(ja.codes)];
    for (const text of all) {
      expect(text).not.toMatch(/送金|入金|出金|仮想通貨|取引先|みなし|登録/);
      expect(text).not.toMatch(/[\uff61-\uff9f]/);
      expect(text.replaceAll(/\{\w+\}/g, '')).not.toMatch(/[,:;()!?]|\.(?!\d)|\s/);
    }
    for (const text of Object.values(texts)) {
      const sentences = text.split('。').filter(Boolean);
      const endings = sentences.map((sentence) => sentence.replaceAll(/（[^）]*）/g, '').replace(/：.*/, ''));
      for (const ending of endings) expect(ending).toMatch(/(です|ます|ません|ください|要因)$/);
    }
  });

  it('do not call an unknown price nothing', () => {
    const labels = [label(party(1), 'sanctioned', { label: 'Listed Ltd' })];
    const [detection] = assessed([send(party(1), null, T0)], { labels }).detections;
    expect(detection?.description).toBe(
      'Sent an amount of unknown price (0.05 ETH) in 1 transfer to a sanctioned party (its list states no day of designation): Listed Ltd. Dated 2024-01-01.',
    );
  });

  it('show names from labels as they are, without reading them as templates', () => {
    const labels = [label(party(1), 'sanctioned', { label: '{usd} $& Ltd' })];
    const [detection] = assessed([send(party(1), 5, T0)], { labels }).detections;
    expect(detection?.description).toContain('{usd} $& Ltd');
  });
});

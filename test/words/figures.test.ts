import { describe, expect, it } from 'vitest';
import {
  amountText,
  figureText,
  grouped,
  groupedDigits,
  isolated,
  moment,
  percent,
  shareText,
  spanText,
  usd,
} from '../../words/figures.ts';

describe('figures', () => {
  it('group thousands, with the decimals that were given or asked for', () => {
    expect(['0', '123', '1234', '-123456', '12345678.901'].map((amount) => grouped(amount))).toEqual([
      '0',
      '123',
      '1,234',
      '-123,456',
      '12,345,678.901',
    ]);
    expect([groupedDigits(1234.5, 2), groupedDigits(1234, 2), groupedDigits(0.004, 2)]).toEqual([
      '1,234.50',
      '1,234',
      '0',
    ]);
  });

  it('never show a part as nothing or as all', () => {
    expect([0, 0.0004, 0.125, 0.9996, 1, null].map((share) => percent(share))).toEqual([
      '0.0%',
      '< 0.1%',
      '12.5%',
      '> 99.9%',
      '100.0%',
      '–',
    ]);
    const inSentences = [0, 0.0004, 0.5, 0.9996, 1].map((share) => shareText(share, 'en'));
    expect(inSentences).toEqual(['0%', 'less than 0.1%', '50%', 'more than 99.9%', '100%']);
    const forms = { comma: ', ', moment: String, word: String };
    const measured = [0, 0.00001, 0.0125, 0.99999, 1].map((share) => figureText('share', share, forms));
    expect(measured).toEqual(['0%', '< 0.01%', '1.25%', '> 99.99%', '100%']);
  });

  it('show the digits of small amounts', () => {
    const amounts = ['1234.56789 ETH', '100.126 ETH', '99.126 ETH', '0.000123456 BTC'];
    expect(amounts.map((amount) => amountText(amount))).toEqual([
      '1,234.57 ETH',
      '100.13 ETH',
      '99.13 ETH',
      '0.0001235 BTC',
    ]);
  });

  it('are written as the language of a report writes them', () => {
    expect(usd(-1_234.5)).toBe('−1,234.50 USD');
    expect([grouped('75300.5', 'es'), usd(75_300, 'es'), percent(0.1234, 'es'), percent(0.0001, 'es')]).toEqual([
      '75.300,5',
      '75.300,00 USD',
      '12,3 %',
      '< 0,1 %',
    ]);
    // A sign behind a figure stands apart in Spanish, in sentences as in tables.
    expect([shareText(0.998, 'es'), shareText(0.998, 'en')]).toEqual(['99,8 %', '99.8%']);
    expect([usd(75_300, 'ja'), usd(75_300, 'en'), amountText('1234.56789 ETH', 'es')]).toEqual([
      '75,300.00 USD',
      '75,300.00 USD',
      '1.234,57 ETH',
    ]);
  });

  it('state moments in UTC, or in the zone of the reports of a language', () => {
    const at = '2026-11-20T22:00:00.000Z';
    expect([moment(at), moment(at, 'es'), moment(at, 'ja'), moment(null, 'ja')]).toEqual([
      '2026-11-20 22:00:00 UTC',
      '20/11/2026 22:00:00 UTC',
      '2026年11月21日 07:00:00 JST',
      '–',
    ]);
  });

  it('count a span in minutes, hours or days', () => {
    const spans = [1, 119, 121, 2_880, 2_881];
    expect(spans.map((minutes) => spanText(minutes, 'en'))).toEqual([
      ...['1 minute', '119 minutes', '3 hours', '48 hours', '3 days'],
    ]);
    expect(spans.map((minutes) => spanText(minutes, 'ja'))).toEqual(['1分', '119分', '3時間', '48時間', '3日']);
    expect(spans.map((minutes) => spanText(minutes, 'es'))[0]).toBe('1 minuto');
  });
});

it('keeps a token named in letters from right to left from changing places with the amount beside it', () => {
  expect([isolated('1.5 \u05d0\u05d1'), isolated('1.5 ETH')]).toEqual(['\u20661.5 \u05d0\u05d1\u2069', '1.5 ETH']);
});

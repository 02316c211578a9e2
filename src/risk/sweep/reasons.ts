import type { Lang } from '../detection.ts';
import { fillIn } from '../texts.ts';
import type { Flag } from './window.ts';

/** By pattern, or pattern and variant; `median` for tokens without a price. Values are filled in as in texts.ts. */
const REASONS: Record<Lang, Record<string, string>> = {
  en: {
    known_malicious: 'In the registry as {category}: {label} (source: {source}).',
    address_poisoning:
      'Baits {victim}: looks like {genuine}, which it really dealt with ({prefix} characters in front and {suffix} at the end are the same; {kind}). {victims|victim|victims} in this window.',
    'address_poisoning.loss':
      'Baits {victim}: looks like {genuine}, which it really dealt with ({prefix} characters in front and {suffix} at the end are the same; {kind}). {victims|victim|victims} in this window, {losses|payment was|payments were} misdirected to it.',
    relay_chain:
      'Passed {usd} on {minutes} after receipt and kept back almost nothing ({kept_share} went on), in a chain of {hops} transfers from {from} to {to}.',
    'relay_chain.median':
      'Passed {times_median} times the usual amount on {minutes} after receipt and kept back almost nothing ({kept_share} went on), in a chain of {hops} transfers from {from} to {to}.',
    rapid_distribution: 'Sent {usd} to {receivers} receivers within {hours|hour|hours}.',
    'rapid_distribution.median':
      'Sent {times_median} times the usual amount to {receivers} receivers within {hours|hour|hours}.',
    large_transfer: '{count|transfer|transfers} among the largest 1 % of the window, the largest of {usd}.',
    'large_transfer.median':
      '{count|transfer|transfers} among the largest 1 % of the window, the largest {times_median} times the usual amount.',
  },
  ja: {
    known_malicious: '「{category}」として登録されています：{label}（出典：{source}）。',
    address_poisoning:
      '{victim}に対し、実際の取引先{genuine}に似せたアドレスです（先頭{prefix}文字・末尾{suffix}文字が一致、{kind}）。この期間の被害対象は{victims}件です。',
    'address_poisoning.loss':
      '{victim}に対し、実際の取引先{genuine}に似せたアドレスです（先頭{prefix}文字・末尾{suffix}文字が一致、{kind}）。この期間の被害対象は{victims}件で、{losses}件の誤送金が発生しています。',
    relay_chain:
      '{usd}を受領の{minutes}後にほぼ全額（{kept_share}）転送しています。{from}から{to}まで{hops}回の送金が連鎖しています。',
    'relay_chain.median':
      '通常の{times_median}倍の額を受領の{minutes}後にほぼ全額（{kept_share}）転送しています。{from}から{to}まで{hops}回の送金が連鎖しています。',
    rapid_distribution: '{hours}時間以内に{receivers}件の宛先へ{usd}を送金しています。',
    'rapid_distribution.median': '{hours}時間以内に{receivers}件の宛先へ通常の{times_median}倍の額を送金しています。',
    large_transfer: '期間内の上位1%に入る送金が{count}件あり、最大額は{usd}です。',
    'large_transfer.median': '期間内の上位1%に入る送金が{count}件あり、最大額は通常の{times_median}倍です。',
  },
};

/** Why an address was flagged, in one or two sentences. */
export function reasonOf({ pattern, variant, measured }: Flag, lang: Lang): string {
  const kind = variant ?? ('times_median' in measured ? 'median' : undefined);
  return fillIn(REASONS[lang][kind === undefined ? pattern : `${pattern}.${kind}`]!, measured, lang);
}

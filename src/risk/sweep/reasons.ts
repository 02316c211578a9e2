import type { Lang } from '../detection.ts';
import { fillIn } from '../texts/texts.ts';
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
    rapid_distribution: 'Sent {usd} to {receivers} receivers within {minutes}.',
    'rapid_distribution.median':
      'Sent {times_median} times the usual amount to {receivers} receivers within {minutes}.',
    large_transfer: '{count|transfer|transfers} among the largest 1 % of the window, the largest of {usd}.',
    'large_transfer.median':
      '{count|transfer|transfers} among the largest 1 % of the window, the largest {times_median} times the usual amount.',
  },
  ja: {
    known_malicious: '「{category}」に分類されています：{label}（出典：{source}）。',
    address_poisoning:
      '「{victim}」を誘導しようとするアドレスで、その実際の相手方「{genuine}」に似ています（先頭{prefix}文字と末尾{suffix}文字が一致、{kind}）。この期間に標的となった相手方は{victims}者です。',
    'address_poisoning.loss':
      '「{victim}」を誘導しようとするアドレスで、その実際の相手方「{genuine}」に似ています（先頭{prefix}文字と末尾{suffix}文字が一致、{kind}）。この期間に標的となった相手方は{victims}者で、このアドレスへの誤った送付が{losses}件あります。',
    relay_chain:
      '{usd}を受取の{minutes}後に送付し、ほとんど手元に残していません（送付した割合：{kept_share}）。「{from}」から「{to}」へ至る{hops}件の移転の連鎖に含まれます。',
    'relay_chain.median':
      '通常の{times_median}倍の額を受取の{minutes}後に送付し、ほとんど手元に残していません（送付した割合：{kept_share}）。「{from}」から「{to}」へ至る{hops}件の移転の連鎖に含まれます。',
    rapid_distribution: '{minutes}以内に、{receivers}件の送付先へ計{usd}を送付しています。',
    'rapid_distribution.median': '{minutes}以内に、{receivers}件の送付先へ通常の{times_median}倍の額を送付しています。',
    large_transfer: '期間内の上位1%に入る高額の移転が{count}件あり、最大額は{usd}です。',
    'large_transfer.median': '期間内の上位1%に入る高額の移転が{count}件あり、最大額は通常の{times_median}倍です。',
  },
};

/** Why an address was flagged, in one or two sentences. */
export function reasonOf({ pattern, variant, measured }: Flag, lang: Lang): string {
  const kind = variant ?? ('times_median' in measured ? 'median' : undefined);
  return fillIn(REASONS[lang][kind === undefined ? pattern : `${pattern}.${kind}`]!, measured, lang);
}

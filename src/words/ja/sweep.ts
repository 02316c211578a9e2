import type { SweepWords } from '../en/sweep.ts';

export const sweep: SweepWords = {
  known_malicious: '「{category}」に分類されています：{label}（出典：{source}）。',
  'known_malicious.reported': '「{category}」として報告されています：{label}（報告元：{source}）。',
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
};

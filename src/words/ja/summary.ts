import type { SummaryWords } from '../en/summary.ts';

export const summary: SummaryWords = {
  language: 'Japanese',
  space: '',
  rated: ({ chain, level, score }) => `${chain}上のアドレスのリスクレベルは${level}、スコアは100点中${score}点です。`,
  noDetection: '検知事項はありません。',
  detections: (count, named, more) => `検知事項は${count}件あります：${named}${more > 0 ? `、ほか${more}件` : ''}。`,
  money: ({ text }, received, sent) => `取引は${text}件です（受取：${received}／送付：${sent}）。`,
  nothing: 'なし',
  noParties: 'ラベルのある相手方はありません。',
  parties: (named) => `ラベルのある相手方：${named}。`,
};

import type { Forms } from '../en/forms.ts';

export const forms: Forms = {
  zone: { name: 'JST', hours: 9 },
  number: (figure) => figure,
  unpriced: '価格不明の資産',
  usd: (amount) => `${amount}米ドル`,
  worthUsd: (amount) => `${amount}米ドル相当`,
  yen: (amount) => `${amount}円`,
  minutes: (count) => `${count}分`,
  hours: (count) => `${count}時間`,
  days: (count) => `${count}日`,
  withAmounts: (value, amounts) => `${value}（${amounts}）`,
  withAmountsInside: (value, amounts) => `${value}、${amounts}`,
  dayLocale: 'ja',
  date: (iso) => {
    const [year, month, day] = iso.split('-').map(Number);
    return `${year}年${month}月${day}日`;
  },
  lessThan: (share) => `${share}未満`,
  moreThan: (share) => `${share}超`,
  comma: '、',
  space: '',
  bracketed: (title, inside) => `${title}（${inside}）`,
  labelled: (label, value) => `${label}：${value}`,
};

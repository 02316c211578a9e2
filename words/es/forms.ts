import type { Forms } from '../en/forms.ts';

export const forms: Forms = {
  zone: { name: 'UTC', hours: 0 },
  number: (figure) => figure.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')).replace(/(?<=\d)%/, ' %'),
  unpriced: 'un importe de precio desconocido',
  usd: (amount) => `${amount} USD`,
  worthUsd: (amount) => `${amount} USD`,
  yen: (amount) => `${amount} JPY`,
  minutes: (count) => `${count} ${count === 1 ? 'minuto' : 'minutos'}`,
  hours: (count) => `${count} horas`,
  days: (count) => `${count} días`,
  withAmounts: (value, amounts) => `${value} (${amounts})`,
  withAmountsInside: (value, amounts) => `${value}: ${amounts}`,
  dayLocale: 'es',
  date: (iso) => iso.split('-').reverse().join('/'),
  // It follows an article.
  lessThan: (share) => `<${share}`,
  moreThan: (share) => `>${share}`,
  comma: ', ',
  space: ' ',
  bracketed: (title, inside) => `${title} (${inside})`,
  labelled: (label, value) => `${label}: ${value}`,
};

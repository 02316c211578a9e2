import type { SummaryWords } from '../en/summary.ts';

export const summary: SummaryWords = {
  language: 'Spanish',
  space: ' ',
  rated: ({ chain, level, score }) => `Riesgo ${level}, puntuación ${score} de 100, en ${chain}.`,
  noDetection: 'Ninguna detección.',
  detections: (count, named, more) =>
    `${count} ${count === 1 ? 'detección' : 'detecciones'}: ${named}${more > 0 ? ` y ${more} más` : ''}.`,
  money: ({ count, text }, received, sent) =>
    `${text} ${count === 1 ? 'transacción' : 'transacciones'}; recibido ${received}, enviado ${sent}.`,
  nothing: 'nada',
  noParties: 'Ninguna contraparte etiquetada.',
  parties: (named) => `Contrapartes etiquetadas: ${named}.`,
};

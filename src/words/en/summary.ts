/** An address as a summary states it. */
interface Rated {
  chain: string;
  level: string;
  score: number;
}

/** The sentences of a summary; numbers come with their thousands grouped. */
export interface SummaryWords {
  /** The language's name in English, for a language model. */
  language: string;
  /** Between sentences. */
  space: string;
  rated: (address: Rated) => string;
  noDetection: string;
  /** `more` is how many are not named. */
  detections: (count: number, named: string, more: number) => string;
  money: (transactions: { count: number; text: string }, received: string, sent: string) => string;
  /** In place of amounts. */
  nothing: string;
  noParties: string;
  parties: (named: string) => string;
}

export const summary: SummaryWords = {
  language: 'English',
  space: ' ',
  rated: ({ chain, level, score }) => `Risk ${level}, score ${score} of 100, on ${chain}.`,
  noDetection: 'No detection.',
  detections: (count, named, more) =>
    `${count} ${count === 1 ? 'detection' : 'detections'}: ${named}${more > 0 ? ` and ${more} more` : ''}.`,
  money: ({ count, text }, received, sent) =>
    `${text} ${count === 1 ? 'transaction' : 'transactions'}; received ${received}, sent ${sent}.`,
  nothing: 'nothing',
  noParties: 'No labelled counterparty.',
  parties: (named) => `Labelled counterparties: ${named}.`,
};

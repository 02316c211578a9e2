import type { SummaryFacts } from './port.ts';

/** Numbers that a summary names and that the facts do not hold, as written or rounded to fewer places. */
export function inventedNumbers(summary: string, facts: SummaryFacts): string[] {
  const known = numbersIn(JSON.stringify(facts)).map(Number);
  const counts = [facts.detections.length, facts.counterparties.length, 100];
  const isKnown = (text: string) => {
    const decimals = text.split('.')[1]?.length ?? 0;
    return [...known, ...counts].some((value) => value.toFixed(decimals) === Number(text).toFixed(decimals));
  };
  return numbersIn(summary.normalize('NFKC').replace(/(\d),(?=\d{3})/g, '$1')).filter((text) => !isKnown(text));
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:\.\d+)?/g) ?? [];
}

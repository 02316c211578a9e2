import type { Logger } from 'pino';
import { askModel, type ModelSettings } from './model.ts';
import type { Summaries, SummaryFacts } from './port.ts';
import { writeSummary } from './rules.ts';

/** Summaries by the model where one is configured, else by the rules. */
export function openSummaries(model: ModelSettings | null, log: Logger): Summaries {
  return {
    summarize: async (facts, lang, signal) => {
      if (model) {
        try {
          const summary = await askModel(model, facts, lang, signal);
          const invented = inventedNumbers(summary, facts);
          if (invented.length === 0) return { summary, source: 'model' };
          log.warn({ invented }, 'summary model named numbers that are not in the data');
        } catch (err) {
          signal.throwIfAborted();
          log.warn({ err }, 'summary model did not answer');
        }
      }
      return { summary: writeSummary(facts, lang), source: 'rules' };
    },
  };
}

/** Numbers that a summary names and that the facts do not hold, as written or rounded to fewer places. */
function inventedNumbers(summary: string, facts: SummaryFacts): string[] {
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

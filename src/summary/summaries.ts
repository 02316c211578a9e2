import type { Logger } from 'pino';
import { askModel, type ModelSettings } from './model.ts';
import { inventedNumbers } from './numbers.ts';
import type { Summaries } from './port.ts';
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

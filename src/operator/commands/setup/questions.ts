import { createInterface } from 'node:readline';
import { InvalidInputError } from '../../../errors.ts';

/** Asks the person at the terminal; an empty line takes the default. */
export interface Questions {
  text(question: string, fallback: string): Promise<string>;
  yes(question: string, fallback: boolean): Promise<boolean>;
  close(): void;
}

/** Answers are lines of standard input; questions go to standard error. */
export function askAtTerminal(): Questions {
  const reader = createInterface({ input: process.stdin });
  const lines = reader[Symbol.asyncIterator]();
  const text = async (question: string, fallback: string): Promise<string> => {
    process.stderr.write(`${question}${fallback === '' ? '' : ` [${fallback}]`}: `);
    const { done, value } = await lines.next();
    if (done) throw new InvalidInputError('The input ended before all was answered. --yes takes the defaults.');
    return value.trim() || fallback;
  };
  return {
    text,
    yes: async (question, fallback) => /^y/i.test(await text(question, fallback ? 'yes' : 'no')),
    close: () => reader.close(),
  };
}

/** Takes every default. */
export const takeDefaults: Questions = {
  text: async (_, fallback) => fallback,
  yes: async (_, fallback) => fallback,
  close: () => {},
};

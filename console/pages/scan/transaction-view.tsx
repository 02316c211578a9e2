import { language, words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import type { ScannedTransaction } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { TransactionBothSides } from '../checks/both-sides.tsx';

/** Looks a transaction up and scans both of its sides. */
export function TransactionView({ chain, hash }: { chain: string; hash: string }) {
  const texts = words().scan;
  const body = { chain, tx_hash: hash, lang: language.value };
  const { answer, error, loading } = useAnswer(
    (signal) => call<ScannedTransaction>('/scan/tx', { method: 'POST', body, signal }),
    [chain, hash],
  );
  return (
    <>
      <ErrorNote error={error} />
      {loading && <Loading text={texts.scanning} />}
      {answer && <TransactionBothSides answer={answer} />}
    </>
  );
}

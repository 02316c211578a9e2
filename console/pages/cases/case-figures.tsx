import { dollars } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import type { CaseAddress } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import type { CaseFundsAnswer, PairTransfers } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { caseSums, stolenIn, victimPayments } from './case-sums.ts';

interface CaseFiguresProps {
  funds: CaseFundsAnswer;
  addresses: CaseAddress[];
}

/** Shows the sums of a case's money: what its victims lost, and what became of all that its subjects sent. */
export function CaseFigures({ funds, addresses }: CaseFiguresProps) {
  const texts = words().cases;
  const asked = victimPayments(addresses);
  const { answer } = useAnswer<PairTransfers | null>(
    async (signal) => asked && call('/graph/transfers', { ...asked, signal }),
    [JSON.stringify(asked), funds],
  );
  const stolen = answer && stolenIn(answer);
  const { sent, followed, arrived, frozen, unknown } = caseSums(funds);
  const figures: [name: string, text: string, isShown: boolean][] = [
    [texts.sums.stolen, `${stolen?.isLeast ? '≥ ' : ''}${dollars(stolen?.usd ?? 0)}`, (stolen?.usd ?? 0) > 0],
    [texts.sums.sent, dollars(sent), sent > 0],
    [texts.sums.followed, dollars(followed), followed > 0],
    [texts.sums.arrived, dollars(arrived), arrived > 0],
    [texts.sums.frozen, dollars(frozen), frozen > 0],
    [texts.sums.unknown, dollars(unknown), unknown > 0],
  ];
  const shown = figures.filter(([, , isShown]) => isShown);
  if (shown.length === 0) return null;
  return (
    <dl class="sums">
      {shown.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { ComponentChildren } from 'preact';
import { amountsText, dollars } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import type { CaseAddress } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import type { CaseFundsAnswer, PairTransfers } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { caseSums, type Stolen, stolenIn, victimPayments } from './case-sums.ts';

interface CaseFiguresProps {
  funds: CaseFundsAnswer;
  addresses: CaseAddress[];
}

/** Shows the sums of a case's money: what its victims lost, and what became of all that its subjects sent. */
export function CaseFigures({ funds, addresses }: CaseFiguresProps) {
  const texts = words().cases.sums;
  const asked = victimPayments(addresses);
  const { answer, error } = useAnswer<PairTransfers | null>(
    async (signal) => asked && call('/graph/transfers', { ...asked, signal }),
    [JSON.stringify(asked), funds],
  );
  const sums = caseSums(funds);
  const names = ['sent', 'followed', 'arrived', 'returned', 'frozen', 'unknown'] as const;
  const figures = names.filter((name) => sums[name] > 0);
  const stolen = answer && lossText(stolenIn(answer));
  return (
    <>
      <ErrorNote error={error} />
      {(stolen || figures.length > 0) && (
        <dl class="sums">
          {stolen && <Figure name={texts.stolen}>{stolen}</Figure>}
          {figures.map((name) => (
            <Figure key={name} name={texts[name]}>
              {dollars(sums[name])}
            </Figure>
          ))}
        </dl>
      )}
    </>
  );
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The dollars of a loss, and beside them what has no price; null where nothing was lost. */
function lossText({ usd, isLeast, unpriced }: Stolen): ComponentChildren {
  const others = amountsText(unpriced);
  if (usd === 0) return others || null;
  return (
    <>
      {`${isLeast ? '≥ ' : ''}${dollars(usd)}`}
      {others && <small class="hint block">{words().cases.unpricedLoss(others)}</small>}
    </>
  );
}

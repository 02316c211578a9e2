import type { ComponentChildren } from 'preact';
import { amountsText, dollars } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import type { CaseFundsAnswer } from '../../service/tracing-answers.ts';
import { caseSums } from './case-sums.ts';

/** Shows the sums of a case's money: what its victims lost, and what became of all that its subjects sent. */
export function CaseFigures({ funds }: { funds: CaseFundsAnswer }) {
  const texts = words().cases.sums;
  const sums = caseSums(funds);
  const names = ['sent', 'followed', 'arrived', 'returned', 'frozen', 'unknown'] as const;
  const figures = names.filter((name) => sums[name] > 0);
  const stolen = funds.victims && lossText(funds.victims);
  if (!stolen && figures.length === 0) return null;
  return (
    <dl class="sums">
      {stolen && <Figure name={texts.stolen}>{stolen}</Figure>}
      {figures.map((name) => (
        <Figure key={name} name={texts[name]}>
          {dollars(sums[name])}
        </Figure>
      ))}
    </dl>
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
function lossText({ lost: { usd, unpriced }, complete }: NonNullable<CaseFundsAnswer['victims']>): ComponentChildren {
  const others = amountsText(unpriced);
  if (usd === 0) return others || null;
  return (
    <>
      {`${complete ? '' : '≥ '}${dollars(usd)}`}
      {others && <small class="hint block">{words().cases.unpricedLoss(others)}</small>}
    </>
  );
}

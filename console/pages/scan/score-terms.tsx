import type { ScoreTerm } from '../../../src/risk/detection.ts';
import { Table } from '../../parts/table.tsx';
import { percent } from '../../texts/formats.ts';
import { scanTexts } from '../../texts/scan.ts';

/** The terms from which the score can be recomputed. */
export function ScoreTerms({ terms, score }: { terms: ScoreTerm[]; score: number }) {
  const texts = scanTexts();
  return (
    <section class="card" aria-labelledby="score-terms">
      <h2 id="score-terms">
        {texts.score}: {score}
      </h2>
      <p class="muted">{texts.scoreRule}</p>
      <Table
        caption={texts.score}
        rows={terms}
        keyOf={(term) => term.family}
        empty={texts.noTerms}
        columns={[
          {
            title: texts.family,
            cell: (term) => (
              <>
                {term.family}
                <br />
                <span class="muted">{term.detections.join(', ')}</span>
              </>
            ),
          },
          { title: texts.weight, cell: (term) => percent(term.weight), numeric: true },
          { title: texts.strength, cell: (term) => percent(term.strength), numeric: true },
          { title: texts.points, cell: (term) => Math.round(100 * term.weight * term.strength), numeric: true },
        ]}
      />
    </section>
  );
}

import type { ScoreTerm } from '../../../src/risk/detection.ts';
import { percentOnLine } from '../../browser/figures.ts';
import { comma, labelled, words } from '../../browser/words.ts';
import { Table } from '../../parts/table.tsx';
import type { ScanDetection } from '../../service/answers.ts';

interface ScoreTermsProps {
  terms: ScoreTerm[];
  score: number;
  detections: ScanDetection[];
}

/** The terms from which the score can be recomputed. */
export function ScoreTerms({ terms, score, detections }: ScoreTermsProps) {
  const texts = words().scan;
  const names = new Map(detections.map((one) => [one.detector_id, one.detector_name]));
  return (
    <section class="card" aria-labelledby="score-terms">
      <h2 id="score-terms">{labelled(texts.score, score)}</h2>
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
                {texts.families[term.family] ?? term.family}
                <br />
                <span class="muted">{term.detections.map((id) => names.get(id) ?? id).join(comma())}</span>
              </>
            ),
          },
          { title: texts.weight, cell: (term) => percentOnLine(term.weight), numeric: true },
          { title: texts.strength, cell: (term) => percentOnLine(term.strength), numeric: true },
          { title: texts.points, cell: (term) => Math.round(100 * term.weight * term.strength), numeric: true },
        ]}
      />
    </section>
  );
}

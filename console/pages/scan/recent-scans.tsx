import { chainName } from '../../../src/domain/chain.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { Scans } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

/** The newest recorded scans of the account. */
export function RecentScans() {
  const texts = words().scan;
  const { answer, error, loading } = useAnswer<Scans>((signal) => call('/public/scans', { signal }), []);
  return (
    <section class="card" aria-labelledby="recent-scans">
      <div class="row">
        <h2 id="recent-scans">{texts.recent}</h2>
        <SaveButton label={texts.saveScans} path="/public/scans.csv" name="scans.csv" />
      </div>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <Table
          caption={texts.recent}
          rows={answer.scans}
          keyOf={(scan) => scan.scan_id}
          empty={texts.noScans}
          columns={[
            { title: texts.level, cell: (scan) => <LevelBadge level={scan.risk_level} score={scan.risk_score} /> },
            {
              title: texts.address,
              cell: (scan) => <CopyText text={scan.address} link={linkTo('scan', [scan.chain, scan.address])} />,
            },
            { title: texts.chain, cell: (scan) => chainName(scan.chain) },
            { title: texts.detections, cell: (scan) => scan.detection_count, numeric: true },
            { title: texts.source, cell: (scan) => texts.sources[scan.source] },
            { title: texts.when, cell: (scan) => <MomentText at={scan.created_at} /> },
          ]}
        />
      )}
    </section>
  );
}

import { packageReference } from '../../../../words/case-event.ts';
import { LANGUAGE_NAMES } from '../../../../words/language.ts';
import { momentText, percentOnLine } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { CopyText } from '../../../parts/address-text.tsx';
import { SaveButton } from '../../../parts/form/save-button.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import { ProgressBar } from '../../../parts/progress-bar.tsx';
import type { ReportPackage } from '../../../service/answers.ts';
import { apiPath } from '../../../service/api.ts';

const FILES = {
  evidence: { path: 'download', name: 'evidence.pdf' },
  draft: { path: 'draft.docx', name: 'draft.docx' },
  csv: { path: 'transactions.csv', name: 'transactions.csv' },
  proofs: { path: 'proofs.json', name: 'proofs.json' },
  page: { path: 'verify.html', name: 'verify.html' },
  manifest: { path: 'manifest.json', name: 'manifest.json' },
  stamp: { path: 'manifest.tsr', name: 'manifest.tsr' },
  whole: { path: 'package.zip', name: 'package.zip' },
} as const;
/** Files that only some packages have. */
const EXTRA = ['proofs', 'page', 'stamp'];

/** One report package: its progress, then its files. */
export function PackageItem({ caseId, generated }: { caseId: string; generated: ReportPackage }) {
  const texts = words().caseWork;
  const { generation_id: id, status, timestamp } = generated;
  const given = Object.entries(FILES).filter(
    ([file, { name }]) => !EXTRA.includes(file) || generated.files.includes(name),
  );
  return (
    <article class="entry" aria-label={`${texts.package} ${momentText(generated.created_at)}`}>
      <div class="row center">
        <span class={`badge ${status === 'completed' ? 'level-low' : ''}`}>{texts.jobStatuses[status]}</span>
        <strong>{packageReference(id)}</strong>
        <span>{momentText(generated.created_at)}</span>
        <span>{LANGUAGE_NAMES[generated.language]}</span>
        {generated.degraded && <span class="muted">{texts.degraded}</span>}
        {(timestamp === 'pending' || timestamp === 'failed') && (
          <span class="muted">{texts.timestamps[timestamp]}</span>
        )}
        {generated.output_hash && (
          <span class="muted">
            {texts.hash} <CopyText text={generated.output_hash} />
          </span>
        )}
      </div>
      <ErrorNote error={generated.error_message} />
      {status === 'completed' ? (
        <div class="row-actions">
          {given.map(([file, { path, name }]) => (
            <SaveButton
              key={file}
              label={texts.files[file as keyof typeof FILES]}
              path={apiPath`/cases/${caseId}/str-package/${id}/${path}`}
              name={`${id}-${name}`}
            />
          ))}
        </div>
      ) : (
        status !== 'failed' && (
          <ProgressBar
            label={texts.jobStatuses[status]}
            share={generated.progress}
            text={percentOnLine(generated.progress)}
          />
        )
      )}
    </article>
  );
}

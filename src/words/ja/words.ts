import type { Words } from '../en/words.ts';
import { cases } from './cases.ts';
import { codes } from './codes.ts';
import { coverage } from './coverage.ts';
import { detections } from './detections.ts';
import { ends } from './ends.ts';
import { exposure } from './exposure.ts';
import { funds } from './funds.ts';
import { measures } from './measures.ts';
import { presign } from './presign.ts';
import { bridges } from './reports/bridges.ts';
import { columns } from './reports/columns.ts';
import { packageWords } from './reports/package.ts';
import { report } from './reports/report.ts';
import { requests } from './reports/requests.ts';
import { story } from './reports/story.ts';
import { summary } from './summary.ts';
import { sweep } from './sweep.ts';
import { transaction } from './transaction.ts';

export const ja: Words = {
  cases,
  codes,
  coverage,
  detections,
  ends,
  exposure,
  funds,
  measures,
  presign,
  summary,
  sweep,
  transaction,
  bridges,
  columns,
  package: packageWords,
  report,
  requests,
  story,
};

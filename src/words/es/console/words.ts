import type { ConsoleWords } from '../../en/console/words.ts';
import { codes, detectors } from '../codes.ts';
import { coverage } from '../coverage.ts';
import { ends } from '../ends.ts';
import { measures } from '../measures.ts';
import { requests } from '../reports/requests.ts';
import { account } from './account.ts';
import { bridgeMatches } from './bridge-matches.ts';
import { canvas } from './canvas/canvas.ts';
import { investigate } from './canvas/investigate.ts';
import { caseWork } from './case-work.ts';
import { casePages } from './cases.ts';
import { checks, query } from './checks.ts';
import { layout } from './layout.ts';
import { monitoring } from './monitoring.ts';
import { parts } from './parts.ts';
import { scamdb } from './scamdb.ts';
import { scan } from './scan.ts';
import { sources } from './sources.ts';
import { webhooks } from './webhooks.ts';

export const esConsole: ConsoleWords = {
  codes,
  coverage,
  detectors,
  ends,
  measures,
  account,
  bridgeMatches,
  canvas,
  caseWork,
  cases: casePages,
  checks,
  investigate,
  layout,
  monitoring,
  parts,
  query,
  requests,
  scamdb,
  scan,
  sources,
  webhooks,
};

import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAccuracy } from './accuracy/accuracy.ts';
import { benchBacktest } from './backtest.ts';
import { benchBodies } from './bodies.ts';
import { benchCanvas } from './canvas.ts';
import { benchFullestCase } from './fullest-case.ts';
import { benchGraph } from './graph/graph.ts';
import { benchHolders } from './graph/holders.ts';
import { benchGraphIngest } from './graph/ingest.ts';
import { benchGraphLoad } from './graph/load.ts';
import { benchPartition } from './graph/partition.ts';
import { benchLevels } from './levels/levels.ts';
import { benchPatterns } from './levels/patterns/patterns.ts';
import { benchDelay } from './live-delay.ts';
import { benchLiveStart } from './live-start.ts';
import { benchLoad } from './load.ts';
import { benchPresign } from './presign.ts';
import { benchProcessor } from './processor.ts';
import { benchReports } from './reports.ts';
import { benchScan } from './scan.ts';
import { benchSoak, type SoakOptions } from './soak.ts';
import { benchSources } from './sources.ts';
import { benchStart } from './start.ts';
import { benchUsefulness } from './tracing/usefulness.ts';

/** Each prints its figures as ratios against a bare baseline of the same run; these machines are noisy. */
const BENCHES: Record<string, (options: SoakOptions) => Promise<void>> = {
  start: benchStart,
  graph: benchGraph,
  'graph-ingest': benchGraphIngest,
  'graph-load': benchGraphLoad,
  holders: benchHolders,
  partition: benchPartition,
  levels: benchLevels,
  patterns: benchPatterns,
  accuracy: benchAccuracy,
  live: async () => {
    await benchLiveStart();
    await benchDelay();
  },
  'live-start': benchLiveStart,
  load: benchLoad,
  presign: benchPresign,
  processor: benchProcessor,
  soak: benchSoak,
  scan: benchScan,
  sources: benchSources,
  usefulness: benchUsefulness,
  reports: benchReports,
  'fullest-case': benchFullestCase,
  backtest: benchBacktest,
  canvas: benchCanvas,
  bodies: benchBodies,
};

const { values, positionals: wanted } = parseArgs({
  options: { minutes: { type: 'string' }, profile: { type: 'boolean' } },
  allowPositionals: true,
});
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
if (minutes !== undefined && !(minutes > 0)) {
  console.error(`--minutes takes a number above 0, not ${values.minutes}`);
  process.exit(2);
}
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

const [cpu] = cpus();
const memoryGib = (totalmem() / 2 ** 30).toFixed(0);
console.log(`${cpus().length} × ${cpu?.model}, ${memoryGib} GiB, Node ${process.version}, ${process.platform}`);
for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
  console.log(`\n== ${name}`);
  await BENCHES[name]?.({ minutes, withProfile: values.profile });
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites that start processes and wait for them, the longest first; a third that wants Neo4j would wait for a server. */
const PROCESSES = ['cluster/outage', 'cluster/http', 'clients', 'cluster', 'workers', 'demo', 'console', 'cli'];
/** Short files with long suites, which wait for servers and for the pauses between retries. */
const CONTRACTS = ['chains/evm/contract', 'graph/contract', 'chains/xrp/contract', 'chains/tron/contract'];
const WAITING = [...PROCESSES, ...CONTRACTS];

/**
 * Begins with the suites that wait most: begun last, one of them would run alone. Every second suite computes instead, so
 * that the cores have work while others wait.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = WAITING.findIndex((folder) => moduleId.includes(`/test/${folder}`));
      return place === -1 ? WAITING.length : place;
    };
    const sorted = (await super.sort(suites)).sort((a, b) => rank(a) - rank(b));
    const waiting = sorted.filter((suite) => rank(suite) < WAITING.length);
    const computing = sorted.slice(waiting.length);
    return [
      ...waiting.flatMap((suite, i) => [suite, ...computing.slice(i, i + 1)]),
      ...computing.slice(waiting.length),
    ];
  }
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begins with the suites of the cluster, by far the longest: begun last, one of them would run alone. */
export default class ClusterFirst extends BaseSequencer {
  override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
    const isCluster = (suite: TestSpecification) => suite.moduleId.includes('/test/cluster/');
    const sorted = await super.sort(suites);
    return [...sorted.filter(isCluster), ...sorted.filter((suite) => !isCluster(suite))];
  }
}

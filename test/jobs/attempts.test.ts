import { expect, it } from 'vitest';
import { GraphUnavailableError } from '../../src/errors.ts';
import { retryDuringOutage } from '../../src/jobs/attempts.ts';

it('what fails in an outage is not tried again once it may not, or is aborted', async () => {
  const outage = new GraphUnavailableError();
  for (const options of [{ mayRetry: () => false }, { signal: AbortSignal.abort() }]) {
    let tries = 0;
    const work = async () => {
      tries += 1;
      throw outage;
    };
    await expect(retryDuringOutage(work, options)).rejects.toBe(outage);
    expect(tries).toBe(1);
  }
});

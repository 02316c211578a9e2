import type { Command } from 'commander';
import { readConfig } from '../../../config.ts';
import type { CheckedSource } from '../../../questions/check-sources.ts';
import { print, textTable } from '../output.ts';

export function addSourcesCommand(program: Command): void {
  program
    .command('sources')
    .description(
      'asks each configured source of a chain, and each place that is listened to, for its newest block; exit code 1 where one fails',
    )
    .action(async (_: unknown, command: Command) => {
      const { openChainSources } = await import('../../../chains/all/open-sources.ts');
      const { openMemoryLimits } = await import('../../../fairness/limits/memory.ts');
      const { createMetrics } = await import('../../../http/metrics/metrics.ts');
      const { checkMempool } = await import('../../../chains/live/bitcoin-mempool.ts');
      const { checkListeners, checkSources } = await import('../../../questions/check-sources.ts');
      const limits = openMemoryLimits(Date.now);
      const config = readConfig();
      const opened = openChainSources(config, { metrics: createMetrics(), limits, now: Date.now });
      const sources = await checkSources({ ...opened, now: Date.now });
      sources.push(...(await checkListeners(config, opened.openListener, checkMempool)));
      limits.close();
      print(command, sources, asText);
      if (sources.some(({ state }) => state === 'failed')) process.exitCode = 1;
    });
}

function asText(sources: CheckedSource[]): string {
  if (sources.length === 0) return 'No source is configured. traceflow init writes settings with public ones.';
  const rows = sources.map(({ setting, host, state, height, height_at, took_ms, lacks, ...limits }) => ({
    setting,
    host,
    state,
    height,
    height_at,
    ms: took_ms,
    lacks: lacks.join(' ') || null,
    limit: limits.requests_per_second === null ? limits.stated_limit : `${limits.requests_per_second}/s`,
  }));
  const problems = sources.flatMap(({ setting, reason }) => (reason === null ? [] : [`${setting}: ${reason}`]));
  return [textTable(rows), ...problems].join('\n');
}

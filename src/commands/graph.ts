import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { print, table } from './output.ts';
import { socketPath, withContext } from './stores.ts';

export function addGraphCommands(program: Command): void {
  const graph = program.command('graph').description('the graph');

  graph
    .command('stats')
    .description('how much the graph holds')
    .action(async (_: unknown, command: Command) => {
      const { graphStats } = await import('../graph/stats.ts');
      const { handOver } = await import('../handover.ts');
      const config = readConfig();
      const stats =
        (await handOver(socketPath(config), { kind: 'graph_stats' })) ??
        (await withContext(config, (ctx) => graphStats(ctx.graph)));
      print(command, stats, (found) => table([found]));
    });
}

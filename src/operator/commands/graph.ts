import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readConfig } from '../../config.ts';
import type { Chain } from '../../domain/chain.ts';
import type { GraphStats } from '../../graph/queries/stats.ts';
import type { ForgetRequest } from '../forget.ts';
import { chain, name } from './arguments.ts';
import { print, textTable } from './output.ts';
import { socketPath, withContext } from './stores.ts';

export function addGraphCommands(program: Command): void {
  program
    .command('forget')
    .description('deletes an address from the records of all accounts and from the graph; cases on hold keep theirs')
    .argument('<address>', 'the address')
    .addOption(new Option('--everywhere', 'in all accounts and in the graph').makeOptionMandatory())
    .option('--chain <chain>', 'on this chain alone; left out: on each with such addresses', chain)
    .addOption(new Option('--yes', 'confirms: what is deleted is gone').makeOptionMandatory())
    .action(async (address: string, options: { chain?: Chain }, command: Command) => {
      const { forgetEverywhere } = await import('../forget-everywhere.ts');
      const { handOver } = await import('../handover.ts');
      const config = readConfig();
      const request = { address, chain: options.chain };
      const report =
        (await handOver(socketPath(config), { kind: 'forget_everywhere', ...request })) ??
        (await withContext(config, (ctx) => forgetEverywhere(ctx, request)));
      print(command, report, ({ deleted, held, mentions, listed }) =>
        [
          ...Object.entries(deleted).map(([table, rows]) => `${table}: ${rows} deleted`),
          ...held.map((hold) => `left: case ${hold.case_id} of account ${hold.account_id} is on hold (${hold.chain})`),
          ...mentions.map(({ table, id, of }) => `to be decided: ${table} ${id} of ${of} names it`),
          ...listed.map((source) => `left: list ${source} names it`),
        ].join('\n'),
      );
    });

  const graph = program.command('graph').description('the graph');

  graph
    .command('stats')
    .description('how much the graph holds')
    .action(async (_: unknown, command: Command) => {
      const { graphStats } = await import('../../graph/queries/stats.ts');
      const { handOver } = await import('../handover.ts');
      const config = readConfig();
      const stats =
        (await handOver(socketPath(config), { kind: 'graph_stats' })) ??
        (await withContext(config, (ctx) => graphStats(ctx.graph)));
      print(command, stats, asTables);
    });

  graph
    .command('rebuild')
    .description('brings a graph of an earlier version to this one, from what it holds; stop the service first')
    .action(async (_: unknown, command: Command) => {
      const { rebuildGraph } = await import('../../graph/ingest/rebuild.ts');
      const report = await withContext(readConfig(), (ctx) => rebuildGraph(ctx.graph), { oldGraph: true });
      print(command, report, (rebuilt) => textTable([rebuilt]));
    });

  graph
    .command('export')
    .description(
      'writes the whole graph as files for a first load of Neo4j, or its transfers as CSV, and says how to load them',
    )
    .argument('<dir>', 'a new or empty folder')
    .addOption(
      new Option('--format <format>', 'what the files are for').choices(['neo4j-admin', 'csv']).makeOptionMandatory(),
    )
    .action(async (dir: string, options: { format: 'neo4j-admin' | 'csv' }, command: Command) => {
      const { exportFiles } = await import('../export-files.ts');
      const { handOver } = await import('../handover.ts');
      const config = readConfig();
      const folder = resolve(dir);
      const format = options.format === 'csv' ? ({ format: 'csv' } as const) : {};
      const report =
        (await handOver(socketPath(config), { kind: 'graph_export', folder, ...format })) ??
        (await withContext(config, (ctx) => exportFiles(ctx.graph, folder, format.format)));
      print(command, report, ({ command: line, ...written }) => `${textTable([written])}\n\n${line}`);
    });

  graph
    .command('forget')
    .description(
      'deletes what chain sources reported about an address, or all that one source, or the loaded files, reported',
    )
    .option('--chain <chain>', 'the chain of the address; with --source, that chain alone', chain)
    .option('--address <address>', 'the address whose transfers are deleted; scan it again to read them again')
    .option(
      '--source <name>',
      'the source as transfers name it: explorer, explorer+rpc, esplora, …; file: loaded files',
      name,
    )
    .addOption(new Option('--yes', 'confirms: what is deleted is gone').makeOptionMandatory())
    .action(async (options: ForgetOptions, command: Command) => {
      const request = forgetRequest(options, command);
      const { forget } = await import('../forget.ts');
      const { handOver } = await import('../handover.ts');
      const config = readConfig();
      const report =
        (await handOver(socketPath(config), { kind: 'graph_forget', ...request })) ??
        (await withContext(config, (ctx) => forget(ctx, request)));
      print(command, report, (forgotten) => textTable([forgotten]));
    });
}

interface ForgetOptions {
  chain?: Chain;
  address?: string;
  source?: string;
}

function forgetRequest({ chain, address, source }: ForgetOptions, command: Command): ForgetRequest {
  if (address !== undefined && source === undefined && chain !== undefined) return { chain, address };
  if (address === undefined && source !== undefined) return { source, chain };
  return command.error('Name an address (--chain and --address) or a source (--source)');
}

function asTables({ chains, categories, ...totals }: GraphStats): string {
  return [[totals], chains, categories]
    .filter((rows) => rows.length > 0)
    .map(textTable)
    .join('\n\n');
}

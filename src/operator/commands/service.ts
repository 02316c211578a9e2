import type { Command } from 'commander';
import { describeConfig, readConfig } from '../../config.ts';
import { print, textTable } from './output.ts';

export function addServiceCommands(program: Command): void {
  program
    .command('serve')
    .description('runs the service until SIGINT or SIGTERM')
    .option('--new-graph', 'begin an empty graph where its file is missing although scans are recorded', false)
    .option('--salvage', 'open a graph whose log is damaged with the commits before the damage', false)
    .action(async (options: { newGraph: boolean; salvage: boolean }) => {
      const { runService } = await import('../../main.ts');
      await runService(options);
    });

  program
    .command('work')
    .description('does jobs until SIGINT or SIGTERM, without HTTP; needs REDIS_URL and NEO4J_URI')
    .action(async () => {
      const { runWorker } = await import('../../main.ts');
      await runWorker();
    });

  program
    .command('openapi')
    .description('prints the OpenAPI document')
    .action(async (_: unknown, command: Command) => {
      const { buildApp } = await import('../../app.ts');
      const { openContext } = await import('../../context.ts');
      // The document does not depend on settings or stores.
      const ctx = await openContext({ ...readConfig({}), LOG_LEVEL: 'silent' }, { inMemory: true });
      try {
        const app = await buildApp(ctx);
        await app.ready();
        print(command, app.swagger(), (document) => JSON.stringify(document, null, 2));
        await app.close();
      } finally {
        await ctx.close();
      }
    });

  program
    .command('config')
    .description('every setting, its value and where it comes from; secrets are masked')
    .action((_: unknown, command: Command) => print(command, describeConfig(), textTable));
}

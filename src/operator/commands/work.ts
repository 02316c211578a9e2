import type { Command } from 'commander';

export function addWorkCommand(program: Command): void {
  program
    .command('work')
    .description('does jobs until SIGINT or SIGTERM, without HTTP; needs REDIS_URL and NEO4J_URI')
    .action(async () => {
      const { runWorker } = await import('../../main.ts');
      await runWorker();
    });
}

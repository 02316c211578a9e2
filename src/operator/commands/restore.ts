import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { print, textTable } from './output.ts';

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('puts a backup into DATA_DIR; every file is checked before anything is replaced')
    .argument('<dir>', 'folder that backup made')
    .option('--force', 'replace the stores that DATA_DIR holds', false)
    .action(async (dir: string, { force }: { force: boolean }, command: Command) => {
      const { restore } = await import('../restore.ts');
      const config = readConfig();
      const manifest = await restore(config, resolve(dir), { force });
      print(command, manifest, ({ created_at, files }) => `backup of ${created_at}\n${textTable(files)}`);
    });
}

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { print, textTable } from './output.ts';
import { socketPath, withContext } from './stores.ts';

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('copies the stores in DATA_DIR into a new folder, while the service runs or not')
    .argument('<dir>', 'folder that does not exist or is empty')
    .action(async (dir: string, _: unknown, command: Command) => {
      const { backUp, refuseBackup } = await import('../backup.ts');
      const { handOver } = await import('../handover.ts');
      const config = readConfig();
      refuseBackup(config);
      const folder = resolve(dir);
      const manifest =
        (await handOver(socketPath(config), { kind: 'backup', folder })) ??
        (await withContext(config, (ctx) => backUp(ctx, folder)));
      print(command, { folder, ...manifest }, ({ files }) => `${folder}\n${textTable(files)}`);
    });
}

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

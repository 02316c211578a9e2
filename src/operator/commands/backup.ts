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

import { join } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { SECRET_KEY_FILE } from '../../data-folder/data-dir.ts';
import { openSecretBox } from '../../data-folder/secret-box.ts';
import { print } from './output.ts';
import { withRecords } from './stores.ts';

export function addSecretCommands(program: Command): void {
  program
    .command('secrets')
    .description('secrets of webhook endpoints in the records')
    .command('rotate')
    .description(
      'seals all of them with SECRET_KEY in place of SECRET_KEY_PREVIOUS; killed half-way, it goes on when run again',
    )
    .option('--lost', 'gives up secrets that no key opens; their accounts rotate them')
    .action(async ({ lost }: { lost?: boolean }, command: Command) => {
      const { rotateSecrets } = await import('../../questions/secrets.ts');
      const { SECRET_KEY, SECRET_KEY_PREVIOUS, DATA_DIR } = readConfig();
      const secrets = openSecretBox(SECRET_KEY, join(DATA_DIR, SECRET_KEY_FILE), SECRET_KEY_PREVIOUS);
      const report = await withRecords((records) => rotateSecrets(records, secrets, { lost, now: Date.now() }));
      if (report.unreadable.length > 0 && !lost) process.exitCode = 1;
      print(command, report, ({ rotated, current, unreadable }) =>
        [
          `${rotated} secrets sealed again, ${current} were sealed with this key`,
          ...unreadable.map((id) => `No key opens the secret of endpoint ${id}`),
        ].join('\n'),
      );
    });
}

import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { print } from './output.ts';

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description(
      'reads the stores in DATA_DIR from end to end and names what is damaged; exit code 1 if anything is, is missing, or was in use',
    )
    .action(async (_: unknown, command: Command) => {
      const { checkStoreFiles } = await import('../check.ts');
      const checked = await checkStoreFiles(readConfig());
      print(command, checked, (stores) =>
        stores
          .flatMap(({ store, file, result, problems }) => [
            `${store}: ${result}${file ? ` (${file})` : ''}`,
            ...problems.map((problem) => `  ${problem}`),
          ])
          .join('\n'),
      );
      // A store in a server is checked by its own tools; a file that was not read must not pass for sound.
      if (checked.some(({ file, result }) => file !== null && result !== 'ok')) process.exitCode = 1;
    });
}

import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { print } from './output.ts';

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description(
      'reads the stores in DATA_DIR from end to end and names what is damaged; exit code 1 if anything is, or is missing',
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
      if (checked.some(({ result }) => result === 'damaged' || result === 'missing')) process.exitCode = 1;
    });
}

import { join } from 'node:path';

/** The arguments of `neo4j-admin` that load the files of an export into the database `neo4j`, which they replace. */
export function importArguments(folder: string, { isMultiline }: { isMultiline: boolean }): string[] {
  const files = (name: string) => `${join(folder, `${name}-header.csv`)},${join(folder, `${name}.csv`)}`;
  return [
    'database',
    'import',
    'full',
    'neo4j',
    '--overwrite-destination',
    '--array-delimiter=U+001F',
    ...(isMultiline ? ['--multiline-fields=true'] : []),
    `--nodes=${files('addresses')}`,
    `--nodes=Entity=${files('entities')}`,
    `--relationships=TRANSFER=${files('transfers')}`,
    `--relationships=FLOW=${files('flows')}`,
    `--relationships=BRIDGED=${files('bridged')}`,
    `--relationships=BELONGS_TO=${files('belongs-to')}`,
  ];
}

/** The same as one line for a shell. */
export function importCommand(folder: string, options: { isMultiline: boolean }): string {
  return ['neo4j-admin', ...importArguments(folder, options).map(shellQuoted)].join(' ');
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writtenFavourite } from '../../scripts/favourites/write-favourite.ts';
import { cypherFolder } from '../../src/graph/statements.ts';

export const FOLDER = join(cypherFolder(), 'browser');
/** Those that list the parties which a walk reaches. */
export const PARTIES = {
  received: '2-exposure/received-parties.cypher',
  sent: '3-terminals/terminals.cypher',
} as const;

/** Every favourite but the one that sets the parameters, by its file. */
export const favourites = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== '0-parameters')
  .flatMap(({ name: folder }) =>
    readdirSync(join(FOLDER, folder)).map((file) => [`${folder}/${file}`, readFavourite(`${folder}/${file}`)] as const),
  );

export interface Favourite {
  text: string;
  params: Record<string, unknown>;
  statement: string;
}

/**
 * Parameters stand in comments, because Browser draws no picture of what runs together with a command. `hopsMax` shortens
 * the walks, of which the server plans each hop.
 */
export function readFavourite(file: string, hopsMax?: number): Favourite {
  const whole = readFileSync(join(FOLDER, file), 'utf8');
  const text = hopsMax === undefined ? whole : withShortWalks(whole, hopsMax);
  const params: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of text.matchAll(/^(?:\/\/ )?:param (\w+) => (.+?);?$/gm))
    params[name] = JSON.parse(value.replaceAll("'", '"'));
  const statement = text.replaceAll(/^(?::param|\/\/).*\n/gm, '').replace(/;\s*$/, '');
  return { text, params, statement };
}

function withShortWalks(text: string, hopsMax: number): string {
  return writtenFavourite(
    text.replaceAll(/^(\/\/ Walk: .*, )(\d+) hops$/gm, (_, begin: string, hops: string) => {
      return `${begin}${Math.min(Number(hops), hopsMax)} hops`;
    }),
  );
}

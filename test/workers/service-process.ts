import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/main.ts';

/** The whole service on the given settings; says where it listens. */
export async function run(settings: string): Promise<void> {
  const { url } = await startService(readConfig(JSON.parse(settings)));
  console.log(JSON.stringify({ msg: 'working', url }));
}

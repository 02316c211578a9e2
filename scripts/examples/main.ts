import { writeFile } from 'node:fs/promises';
import { recordExamples } from './record.ts';

/** `npm run examples` begins here: writes the examples of the OpenAPI document, taken from the demo world. */
await writeFile('examples/calls.json', `${JSON.stringify(await recordExamples(), null, 1)}\n`);

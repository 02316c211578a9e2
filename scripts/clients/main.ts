import { writeFile } from 'node:fs/promises';
import { openApiDocument } from './openapi-document.ts';

/** `npm run clients` begins here: writes the document from which the client libraries are generated. */
await writeFile('clients/openapi.json', `${JSON.stringify(await openApiDocument(), null, 1)}\n`);

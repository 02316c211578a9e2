import { writeDocument } from './openapi-document.ts';

/** `npm run clients` begins here: writes the document from which the client libraries are generated. */
await writeDocument();

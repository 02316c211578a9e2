import { words } from '../../browser/words.ts';
import { CopyButton } from './copy-button.tsx';

/** Copies the statements by which an answer was found, for Neo4j Browser. */
export function CopyCypher({ text }: { text: string | undefined }) {
  return text === undefined ? null : <CopyButton label={words().parts.copyCypher} text={() => text} />;
}

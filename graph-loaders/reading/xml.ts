import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import type { InputFile } from './input.ts';
import { WrongFormatError } from './wrong-format.ts';

/** Events of an XML reader; names come without their prefix. */
export interface XmlHandlers {
  open(name: string, attributes: Record<string, string>, line: number): void;
  /** At the end of an element, with the text that stood directly in it, after the last element inside. */
  close(name: string, text: string, line: number): void;
}

/** Longer than any honest name, address or tag. */
const SILENCE_MAX = 256 * 1024;
const DEPTH_MAX = 64;

/**
 * Reads XML as a stream: memory stays bounded, no document type is allowed, so no entity can be declared. Throws
 * WrongFormatError with the line. The generator pauses after each piece of the file.
 */
export async function* readXml(file: InputFile, handlers: XmlHandlers, signal?: AbortSignal): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false });
  const texts: string[] = [];
  let silence = 0;
  const refuse = (reason: string): never => {
    throw new WrongFormatError(`${file.name}: ${reason} (line ${parser.line})`);
  };
  parser.on('doctype', () => refuse('a document type is not allowed'));
  parser.on('error', (error) => refuse(`not well-formed XML: ${error.message.replace(/^\d+:\d+: /, '')}`));
  parser.on('opentag', (tag) => {
    silence = 0;
    // A list of thousands has as many blanks between its entries.
    if (texts.length > 0) texts[texts.length - 1] = '';
    texts.push('');
    if (texts.length > DEPTH_MAX) refuse('nested too deeply');
    handlers.open(localName(tag.name), tag.attributes as Record<string, SaxesAttributePlain['value']>, parser.line);
  });
  const addText = (text: string) => {
    if (texts.length > 0) texts[texts.length - 1] += text;
    if ((texts.at(-1)?.length ?? 0) > SILENCE_MAX) refuse('text is too long');
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', (tag) => {
    silence = 0;
    handlers.close(localName(tag.name), texts.pop()!.trim(), parser.line);
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of file.open(signal)) {
    const text = decode(decoder, chunk) ?? refuse('not UTF-8');
    silence += text.length;
    parser.write(text);
    if (silence > SILENCE_MAX + text.length) refuse('text, tag or comment is too long');
    yield;
  }
  parser.close();
  yield;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): string | null {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    return null;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

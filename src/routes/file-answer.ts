import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context.ts';

/** Header fields of an answer, by name, with what they say. */
type AnswerHeaders = Record<string, { description: string; enum?: readonly string[] }>;

/** The schema of an answer that is a file: the object of a JSON file, unless its very bytes count, which a header then proves. */
export function fileAnswer(type: string, headers: AnswerHeaders = {}, description = 'The file'): object {
  const [mediaType = type] = type.split(';');
  const isJson = /[/+]json$/.test(mediaType) && !('X-STR-Output-Hash' in headers);
  const schema = isJson ? z.looseObject({}).describe(description) : z.string().meta({ format: 'binary', description });
  const documented = Object.entries(headers).map(([name, header]) => [name, { type: 'string', ...header }]);
  return {
    description,
    ...(documented.length > 0 && { headers: Object.fromEntries(documented) }),
    content: { [mediaType]: { schema } },
  };
}

export const PDF = 'application/pdf';

export function pdfAnswer(): object {
  return fileAnswer(PDF, {}, 'The PDF');
}

/** Answers with a PDF that a browser shows, signed where the installation has a certificate. */
export async function sendPdf(
  { signPdf, now }: Context,
  reply: FastifyReply,
  { name, pdf }: { name: string; pdf: Buffer },
): Promise<FastifyReply> {
  const sent = signPdf ? await signPdf(pdf, now()) : pdf;
  return reply.type(PDF).header('Content-Disposition', `inline; filename="${name}"`).send(sent);
}

/** Answers with a file that a browser saves. */
export function sendFile(
  reply: FastifyReply,
  { name, type, content }: { name: string; type: string; content: Buffer | Readable | string },
): FastifyReply {
  return reply.type(type).header('Content-Disposition', `attachment; filename="${name}"`).send(content);
}

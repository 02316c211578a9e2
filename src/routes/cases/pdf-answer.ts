import type { FastifyReply } from 'fastify';
import { z } from 'zod';

const PdfFile = z.string().meta({ format: 'binary', description: 'The PDF' });

/** Untyped, since the handler sends bytes. */
export function pdfAnswer(): object {
  return { description: 'The report', content: { 'application/pdf': { schema: PdfFile } } };
}

/** Answers with a PDF that a browser shows. */
export function sendPdf(reply: FastifyReply, name: string, pdf: Buffer): FastifyReply {
  return reply.type('application/pdf').header('Content-Disposition', `inline; filename="${name}"`).send(pdf);
}

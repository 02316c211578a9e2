import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { NotFoundError } from '../../errors.ts';
import { recipientOf } from '../../events/mail/mail-links.ts';
import { guardAccess } from '../../http/access.ts';
import type { App } from '../../http/typed-app.ts';
import { answerConsent } from '../../questions/account/mail-recipients.ts';
import type { Recipient } from '../../records/accounts/mail-recipients.ts';

const PAGE_POLICY = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const params = z.object({ token: z.string() });

/**
 * The page behind the link of each mail. Reading it changes nothing, since mail servers open links by themselves; its
 * buttons do, and so does the one-click `List-Unsubscribe` of mail programs.
 */
export async function mailRoutes(app: App, ctx: Context): Promise<void> {
  guardAccess(app, ctx);
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, async () => undefined);
  const recipient = (token: string): Recipient => {
    const found = recipientOf(ctx.secrets, token);
    if (!found) throw new NotFoundError();
    return found;
  };
  const options = { config: { access: 'page' }, schema: { hide: true, params } } as const;

  app.get('/mail/:token', options, async ({ params: { token } }, reply) => {
    const { address } = recipient(token);
    const button = (answer: string, text: string) =>
      `<form method="post" action="/mail/${token}/${answer}"><button>${text}</button></form>`;
    const buttons = button('confirm', 'Yes, mail me') + button('end', 'No more mails');
    return sendPage(reply, `Mails to ${escaped(address)} when batch scans of an account end.</p>${buttons}<p>`);
  });
  app.post('/mail/:token/confirm', options, async ({ params: { token } }, reply) => {
    const isInTime = await answerConsent(ctx, recipient(token), 'confirm');
    const text = isInTime ? 'You get these mails. Each holds a link that ends them.' : 'This link is too old.';
    return sendPage(reply, text);
  });
  app.post('/mail/:token/end', options, async ({ params: { token } }, reply) => {
    await answerConsent(ctx, recipient(token), 'end');
    return sendPage(reply, 'You get no more of these mails.');
  });
}

function sendPage(reply: FastifyReply, content: string): FastifyReply {
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mails</title>';
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY)
    .send(`<!doctype html><html lang="en">${head}<p>${content}</p></html>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

import { createTransport } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { InvalidInputError } from '../../errors.ts';
import type { Mail } from './port.ts';

const TIMEOUT_MS = 15_000;

/**
 * Mail over SMTP: `smtp://user:password@host:587`, `smtps://` for TLS from the first byte. The sender is what the URL
 * says (`?from=`), else its user where that is an address, else `traceflow@` its host. Throws InvalidInputError.
 */
export function openSmtp(smtpUrl: string): Mail {
  const { username, hostname, search } = new URL(smtpUrl);
  const user = decodeURIComponent(username);
  const from = senderIn(search) ?? (user.includes('@') ? user : `traceflow@${hostname}`);
  const transport = createTransport(
    {
      url: smtpUrl,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    send: async ({ page, text, ...message }) => {
      const headers = { 'List-Unsubscribe': `<${page}/end>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
      await transport.sendMail({ ...message, text: `${text}\n\nNo more of these mails: ${page}`, headers });
    },
    close: () => transport.close(),
  };
}

function senderIn(search: string): string | null {
  // A form's query takes a plus for a space; in an address it is a plus.
  const from = new URLSearchParams(search.replaceAll('+', '%2B')).get('from');
  if (from === null) return null;
  const [sender, ...others] = addressparser(from, { flatten: true });
  if (others.length > 0 || !/^[^\s@]+@[^\s@]+$/.test(sender?.address ?? ''))
    throw new InvalidInputError('SMTP_URL: from must be one address');
  return from;
}

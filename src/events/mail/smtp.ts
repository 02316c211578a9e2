import { createTransport } from 'nodemailer';
import type { Mail } from './port.ts';

const TIMEOUT_MS = 15_000;

/**
 * Mail over SMTP: `smtp://user:password@host:587`, `smtps://` for TLS from the first byte. The sender is what the URL
 * says (`?from=`), else its user where that is an address, else `traceflow@` its host.
 */
export function openSmtp(smtpUrl: string): Mail {
  const { username, hostname, searchParams } = new URL(smtpUrl);
  const user = decodeURIComponent(username);
  const from = searchParams.get('from') ?? (user.includes('@') ? user : `traceflow@${hostname}`);
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

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface Received {
  from: string;
  to: string[];
  user: string | undefined;
  text: string;
}

/** A real mail server on a free port. */
export async function startMailServer({ refuse = false, login = false } = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: !login,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    // Nothing here reads the names of clients, and asking for one takes a second without a resolver.
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'secret' ? done(null, { user: username }) : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) => done(refuse ? new Error('no such mailbox') : null),
    onData: (stream, session, done) => {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        // Long lines are cut wherever the sender's buffer ends: read as a mail program does, they are whole.
        const whole = text.replaceAll('=\r\n', '');
        const to = rcptTo.map((one) => one.address);
        received.push({ from, to, user: session.user as string | undefined, text: whole });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { received, host: `127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

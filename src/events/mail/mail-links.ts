import type { Config } from '../../config.ts';
import type { SecretBox } from '../../data-folder/secret-box.ts';
import type { Recipient } from '../../records/accounts/mail-recipients.ts';

const OWNER = 'mail link';

/** The page on which a recipient says yes or no to the mails of an account. */
export function recipientPage({ publicUrl }: Config, secrets: SecretBox, { accountId, address }: Recipient): string {
  return `${publicUrl}/mail/${secrets.seal(JSON.stringify([accountId, address]), OWNER)}`;
}

/** The recipient that a link speaks for; null for one that this service did not make. */
export function recipientOf(secrets: SecretBox, token: string): Recipient | null {
  try {
    const [accountId, address] = JSON.parse(secrets.open(token, OWNER)) as [string, string];
    return { accountId, address };
  } catch {
    return null;
  }
}

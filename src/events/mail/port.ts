interface Message {
  to: string;
  subject: string;
  text: string;
  /** On which the recipient ends these mails. */
  page: string;
}

export interface Mail {
  /** Resolves when the mail server took the message; throws what it answered otherwise. */
  send(message: Message): Promise<void>;
  close(): void;
}

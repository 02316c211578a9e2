interface Message {
  to: string;
  subject: string;
  text: string;
}

export interface Mail {
  /** Resolves when the mail server took the message; throws what it answered otherwise. */
  send(message: Message): Promise<void>;
  close(): void;
}

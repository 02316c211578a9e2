import { rmSync, writeFileSync } from 'node:fs';

const EVERY_MS = 10_000;

/**
 * Writes a file every ten seconds as long as the process comes to it, so that a health check can distinguish a live worker
 * from one that hangs. `onFailure` gets the reason when it cannot be written. Returns how to end it.
 */
export function startHeartbeat(path: string, onFailure: (error: unknown) => void): () => void {
  const writeBeat = () => {
    try {
      writeFileSync(path, '');
    } catch (error) {
      onFailure(error);
    }
  };
  writeBeat();
  const timer = setInterval(writeBeat, EVERY_MS);
  return () => {
    clearInterval(timer);
    rmSync(path, { force: true });
  };
}

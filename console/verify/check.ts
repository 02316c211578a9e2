import { z } from 'zod';
import { type CheckedProof, checkProofs } from '../../src/proofs/proofs-file.ts';

// The page's policy allows no code from text, which zod would try.
z.config({ jitless: true });

/** Below which starting helpers takes longer than the work. */
const ALONE_MAX = 60;
/** The signatures of a part are checked together, and its end is seen as progress. */
const PART_MAX = 250;

/**
 * Checks proofs in their order, by as many helpers as the machine has cores; in the page itself where it can start none.
 * `script` is the text of this very program, which is a helper's too.
 */
export async function checkAll(
  proofs: readonly unknown[],
  { script, onProgress }: { script: string; onProgress: (done: number) => void },
): Promise<CheckedProof[]> {
  const checked = new Array<CheckedProof>(proofs.length);
  const helpers = proofs.length > ALONE_MAX ? openHelpers(script) : [];
  let next = 0;
  let done = 0;
  const run = async (check: (part: readonly unknown[]) => Promise<CheckedProof[]>) => {
    while (next < proofs.length) {
      const at = next;
      next += part;
      const found = await check(proofs.slice(at, next));
      for (const [place, one] of found.entries()) checked[at + place] = one;
      done += found.length;
      onProgress(done);
    }
  };
  const alone = async (part: readonly unknown[]) => {
    await new Promise((resolve) => setTimeout(resolve));
    return checkProofs(part);
  };
  const askers =
    helpers.length > 0
      ? helpers.map(
          ({ ask }) =>
            (part: readonly unknown[]) =>
              ask(part).catch(() => alone(part)),
        )
      : [alone];
  const part = Math.min(PART_MAX, Math.ceil(proofs.length / askers.length));
  await Promise.all(askers.map(run));
  for (const { worker } of helpers) worker.terminate();
  return checked;
}

interface Helper {
  worker: Worker;
  ask: (part: readonly unknown[]) => Promise<CheckedProof[]>;
}

function openHelpers(script: string): Helper[] {
  try {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    return Array.from({ length: Math.max(2, navigator.hardwareConcurrency ?? 2) }, () => helper(new Worker(url)));
  } catch {
    return [];
  }
}

function helper(worker: Worker): Helper {
  let failed = false;
  const ask = (part: readonly unknown[]) =>
    new Promise<CheckedProof[]>((resolve, reject) => {
      if (failed) return reject(new Error('the helper ended'));
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        failed = true;
        reject(new Error('the helper ended'));
      };
      worker.postMessage(part);
    });
  return { worker, ask };
}

/** Answers a page that asks for parts of its work. */
export function help(scope: { onmessage: unknown; postMessage: (message: unknown) => void }): void {
  scope.onmessage = ({ data }: { data: unknown[] }) => scope.postMessage(checkProofs(data));
}

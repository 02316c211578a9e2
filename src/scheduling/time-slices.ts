const SLICE_MS = 10;

/**
 * A pause for long loops: awaited after each item, it lets the event loop run other work whenever 10 ms have passed
 * since it last did.
 */
export function timeSlices(sliceMs = SLICE_MS): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < sliceMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        startedAt = performance.now();
        resolve();
      }),
    );
  };
}

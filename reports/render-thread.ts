import { parentPort } from 'node:worker_threads';
import { type RenderJob, render } from './render.ts';

/** Draws what the service asks for; what fails is answered, so that the thread goes on. */
parentPort?.on('message', async (job: RenderJob) => {
  try {
    const pdf = await render(job);
    parentPort?.postMessage({ pdf });
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

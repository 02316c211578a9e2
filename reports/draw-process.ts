import { type RenderJob, render } from './render.ts';

/** Draws what the service asks for, until that ends; what fails is answered, so that the process goes on. */
process.on('message', async (job: RenderJob) => {
  try {
    process.send?.({ pdf: await render(job) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

import type { JobType } from '../domain/job.ts';
import { claimJob } from '../records/jobs/claim-job.ts';
import { giveUpLostJobs } from '../records/jobs/job-leases.ts';
import { createAttempts, type QueueParts } from './attempts.ts';
import type { JobQueue, JobWorker } from './port.ts';

const POLL_MS = 1_000;

/** A queue in the record store itself: workers poll it for due jobs, and at once after an offer in this process. */
export function openRecordQueue(parts: QueueParts, pollMs = POLL_MS): JobQueue {
  const { records, now, leaseMs, log } = parts;
  const bells = new Map<Bell, JobType>();
  const workers = new Set<JobWorker>();

  return {
    offer: async (job) => {
      for (const [bell, type] of bells) if (type === job.type) bell.ring();
    },
    work: (kind) => {
      const { type, lanes, slotsPerLane } = kind;
      const attempts = createAttempts(parts, kind);
      const bell = createBell();
      bells.set(bell, type);
      const claim = async () => {
        const free = lanes.filter((lane) => attempts.running(lane) < slotsPerLane);
        if (free.length === 0) return undefined;
        const job = await claimJob(records, { type, lanes: free }, now(), leaseMs);
        if (!job) await giveUpLostJobs(records, type, now(), kind.onEnd);
        return job;
      };
      const loop = async () => {
        while (!attempts.isStopping()) {
          const job = await claim().catch((err) => {
            log.error({ err, type }, 'no job could be claimed');
          });
          if (job) void attempts.run(job).then(() => bell.ring());
          else await bell.wait(pollMs);
        }
      };
      const looping = loop();
      const worker: JobWorker = {
        stop: async (graceMs) => {
          const stopped = attempts.stop(graceMs);
          bell.ring();
          await looping;
          // A claim may have been under way when the stop came.
          await stopped;
          await attempts.stop(graceMs);
          bells.delete(bell);
          workers.delete(worker);
        },
      };
      workers.add(worker);
      return worker;
    },
    close: async () => {
      await Promise.all([...workers].map((worker) => worker.stop(0)));
    },
  };
}

interface Bell {
  ring(): void;
  /** Until the next ring, or at once when it rang since the last wait. */
  wait(timeoutMs: number): Promise<void>;
}

function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: async (timeoutMs) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
      wake = undefined;
    },
  };
}

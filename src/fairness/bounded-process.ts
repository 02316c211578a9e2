import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** A job took more than its bounds, or its process was lost twice; the message is the reason, as in `it takes longer than 20 s`. */
export class ProcessError extends Error {}
export class ProcessTimeoutError extends ProcessError {}

const CHECK_MS = 50;
const OUT_OF_MEMORY = 70;

/**
 * Does jobs in processes of their own, at low priority: what takes too long or too much memory ends with its process, and
 * this one goes on. A process gets no setting of the service, does one job at a time, and is kept for the next one.
 */
export class BoundedProcess<Job extends object, Answer> {
  private readonly script: URL;
  private readonly mib: number;
  private idle: ChildProcess | undefined;
  private running = 0;

  /** The script calls `answerJobs`. Its heap, and its buffers, may take `mib` each. */
  constructor(script: URL, mib: number) {
    this.script = script;
    this.mib = mib;
  }

  /** Throws ProcessError, or the job's own failure as a plain Error. */
  async run(job: Job, timeoutMs: number): Promise<Answer> {
    this.running += 1;
    try {
      return await this.attempt(job, timeoutMs, false);
    } finally {
      this.running -= 1;
    }
  }

  /** Starts a process unless there is one, so that the next job finds it ready. */
  prepare(): void {
    if (this.running === 0) this.idle ??= this.start();
  }

  /** Ends the process that waits for a job. */
  close(): void {
    this.idle?.kill();
  }

  /** A process that ends for no fault of the job is replaced once. */
  private attempt(job: Job, timeoutMs: number, isSecond: boolean): Promise<Answer> {
    const used = this.idle ?? this.start();
    this.idle = undefined;
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        clearTimeout(timer);
        used.off('message', answered).off('error', lost).off('exit', ended);
        used.channel?.unref();
        done();
      };
      const answered = (answer: { value: Answer } | { error: string }) =>
        settle(() => {
          if (this.idle) used.kill();
          else this.idle = used;
          if ('value' in answer) resolve(answer.value);
          else reject(new Error(answer.error));
        });
      const drop = (done: () => void) => {
        used.kill('SIGKILL');
        settle(done);
      };
      const lost = () =>
        drop(() =>
          isSecond ? reject(new ProcessError('its process ended')) : resolve(this.attempt(job, timeoutMs, true)),
        );
      const tooMuch = (error: ProcessError) => drop(() => reject(error));
      const ended = (code: number | null, signal: string | null) =>
        signal === 'SIGABRT' || code === OUT_OF_MEMORY
          ? tooMuch(new ProcessError(`it needs more than ${this.mib} MiB of memory`))
          : lost();
      const late = () => tooMuch(new ProcessTimeoutError(`it takes longer than ${timeoutMs / 1_000} s`));
      const timer = setTimeout(late, timeoutMs);
      used.on('message', answered).on('error', lost).on('exit', ended);
      used.channel?.ref();
      used.send(job, (error) => error && lost());
    });
  }

  private start(): ChildProcess {
    const execArgv = [`--max-old-space-size=${this.mib}`];
    const started = fork(this.script, [`${this.mib}`], {
      execArgv,
      env: {},
      serialization: 'advanced',
      stdio: 'ignore',
    });
    const forget = () => {
      if (this.idle === started) this.idle = undefined;
    };
    // One that ends while it is idle is replaced by the next job.
    started.on('error', forget).on('exit', forget).unref();
    started.channel?.unref();
    return started;
  }
}

/** The other side: does what the service sends, until that ends. What fails is answered, so that the process goes on. */
export function answerJobs<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const buffersMax = Number(process.argv[2]) * 2 ** 20;
  process.on('disconnect', () => process.exit());
  process.on('message', async (job: Job) => {
    const check = setInterval(() => {
      if (process.memoryUsage().arrayBuffers > buffersMax) process.exit(OUT_OF_MEMORY);
    }, CHECK_MS);
    try {
      process.send?.({ value: await work(job) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    } finally {
      clearInterval(check);
    }
  });
}

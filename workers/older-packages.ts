import { packageRenderer, reports } from '../reports/render.ts';
import type { Context } from '../src/context.ts';
import { keepOlderPackage } from '../src/questions/cases/report-package/package-files.ts';
import { PACKAGE_FORMAT } from '../src/questions/cases/report-package/package-inputs.ts';
import { listPackagesWithoutFiles } from '../src/records/cases/report-packages.ts';

export interface OlderPackages {
  /** Begins no further package and waits for the one under way. */
  stop(): Promise<void>;
}

/** Keeps the files of report packages that were generated before files were kept: once per start, one at a time. */
export function startOlderPackages(ctx: Context): OlderPackages {
  const stopping = new AbortController();
  const drawn = packageRenderer(reports, { accountId: '', signal: stopping.signal });

  const keepAll = async () => {
    for (const id of await listPackagesWithoutFiles(ctx.records, PACKAGE_FORMAT)) {
      if (stopping.signal.aborted) return;
      await keepOlderPackage(ctx, id, drawn).catch((err) => {
        if (stopping.signal.aborted) return;
        ctx.log.warn({ err, generation_id: id }, 'the files of a report package were not kept');
      });
    }
  };
  const running = keepAll().catch((err) => ctx.log.warn({ err }, 'older report packages were not looked up'));

  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

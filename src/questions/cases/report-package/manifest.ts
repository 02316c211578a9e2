import { PACKAGE_FILES, type PackageFile, type PackageInputs } from './package-inputs.ts';

/** The content of manifest.json: what the package consists of and was made from. */
export function manifestJson({
  inputs,
  files,
  degraded,
}: {
  inputs: PackageInputs;
  files: readonly PackageFile[];
  degraded: boolean;
}): string {
  const { report, totals } = inputs;
  const manifest = {
    generation_id: inputs.generationId,
    case_id: report.case.id,
    as_of: report.madeAt,
    ...(report.approvedBy ? { prepared_by: report.author, approved_by: report.approvedBy } : {}),
    language: inputs.language,
    from: inputs.from,
    to: inputs.to,
    engine_version: inputs.engineVersion,
    rule_set_version: inputs.ruleSetVersion,
    label_lists: report.addresses[0]?.report.lists ?? null,
    degraded,
    clock: 'own machine',
    timestamp: inputs.timestamped ? PACKAGE_FILES.stamp : null,
    rows: totals.rows,
    truncated: totals.truncated,
    addresses_cut: totals.cutAddresses,
    ...(report.others?.length
      ? { addresses_left_out: report.others.map(({ chain, address }) => `${chain}:${address}`) }
      : {}),
    files,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The section of a version in CHANGELOG.md, without its heading. Throws where it has none. */
export function notesOf(changelog: string, version: string): string {
  const section = changelog.split(/^## /m).find((part) => part.split(/\s/)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}": write it first.`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}

/** Throws where the error rates that reports print are of another rule set than the release's. */
export function checkAccuracy(measuredBy: string, ruleSet: string): void {
  if (measuredBy === ruleSet) return;
  throw new Error(
    `The known error rates are of rule set ${measuredBy || '(none)'}, the rules of ${ruleSet}: run "npm run bench -- accuracy" and commit what it writes.`,
  );
}

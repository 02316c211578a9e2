import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { SectionLinks } from '../../parts/section-links.tsx';
import { BatchSection } from './batch/batch-scan.tsx';
import { PresignSection } from './presign-check.tsx';
import { TokenSection } from './token-query.tsx';
import { TransactionSection } from './transaction-scan.tsx';

/** The sections of the scan page beside the single address, by the first part of their route. */
export const CHECKS = {
  batch: BatchSection,
  transaction: TransactionSection,
  token: TokenSection,
  presign: PresignSection,
};

export function isCheck(section: string): section is keyof typeof CHECKS {
  return Object.hasOwn(CHECKS, section);
}

/** The navigation of the scan page. */
export function CheckLinks({ shown }: { shown: string }) {
  const { kinds, sections } = words().checks;
  const links = Object.keys(CHECKS).map((name) => ({
    title: sections[name as keyof typeof CHECKS],
    href: linkTo('scan', [name]),
    shown: name === shown,
  }));
  const first = { title: sections.address, href: linkTo('scan'), shown: !isCheck(shown) };
  return <SectionLinks label={kinds} links={[first, ...links]} />;
}

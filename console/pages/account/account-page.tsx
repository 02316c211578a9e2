import { linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { SectionLinks } from '../../parts/section-links.tsx';
import { ApiKeys } from './api-keys.tsx';
import { PlanUsage } from './plan-usage.tsx';

/** `#/account`: what the plan allows, and the keys; `#/account/audit`: the audit log. */
export function AccountPage({ route }: { route: Route }) {
  const texts = words().account;
  const [section] = route.parts;
  return (
    <>
      <h1>{texts.title}</h1>
      <SectionLinks
        label={texts.title}
        links={[
          { title: texts.title, href: linkTo('account'), shown: section === undefined },
          { title: texts.audit, href: linkTo('account', ['audit']), shown: section === 'audit' },
        ]}
      />
      {section === 'audit' ? (
        <section class="card" aria-labelledby="audit">
          <h2 id="audit">{texts.audit}</h2>
          <p class="muted">{texts.auditNote}</p>
          <AuditTable />
        </section>
      ) : (
        <>
          <PlanUsage />
          <ApiKeys />
        </>
      )}
    </>
  );
}

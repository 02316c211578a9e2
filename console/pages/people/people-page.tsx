import { linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { SectionLinks } from '../../parts/section-links.tsx';
import { ApprovalsView } from './approvals-view.tsx';
import { PeopleView } from './people-view.tsx';

/** `#/people`: who works here; `#/people/approvals`: what waits for a second person. */
export function PeoplePage({ route }: { route: Route }) {
  const texts = words().people;
  const [section] = route.parts;
  const isApprovals = section === 'approvals';
  return (
    <>
      <h1>{isApprovals ? texts.approvals : texts.title}</h1>
      <SectionLinks
        label={texts.title}
        links={[
          { title: texts.people, href: linkTo('people'), shown: !isApprovals },
          { title: texts.approvals, href: linkTo('people', ['approvals']), shown: isApprovals },
        ]}
      />
      {isApprovals ? <ApprovalsView /> : <PeopleView />}
    </>
  );
}

import { words } from '../../browser/words.ts';
import { ApiKeys } from './api-keys.tsx';
import { PlanUsage } from './plan-usage.tsx';

/** `#/account`: what the plan allows and how much of it is used, and the keys of the account. */
export function AccountPage() {
  return (
    <>
      <h1>{words().account.title}</h1>
      <PlanUsage />
      <ApiKeys />
    </>
  );
}

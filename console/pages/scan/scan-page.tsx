import { chainName } from '../../../src/domain/chain.ts';
import { chainsOfHash } from '../../../src/domain/tx-hash.ts';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { StartForm } from '../../parts/form/start-form.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { locateTransaction } from '../../service/locate.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { CHECKS, CheckLinks, isCheck } from '../checks/sections.tsx';
import { RecentScans } from './recent-scans.tsx';
import { ScanView } from './scan-view.tsx';
import { TransactionView } from './transaction-view.tsx';

/**
 * `#/scan` asks for an address; `#/scan/<chain>/<address>` scans it, where the chain `auto` is detected. A transaction's hash
 * in its place is looked up. Other checks have sections: `#/scan/batch`, `#/scan/transaction`, `#/scan/token`,
 * `#/scan/presign`.
 */
export function ScanPage({ route }: { route: Route }) {
  const [chain = '', address = ''] = route.parts;
  const scan = (wanted: { chain: string; address: string }) =>
    goTo(linkTo('scan', [wanted.chain || 'auto', wanted.address]));
  const texts = words().scan;
  if (isCheck(chain)) {
    const Section = CHECKS[chain];
    return (
      <>
        <h1>{words().checks.sections[chain]}</h1>
        <CheckLinks shown={chain} />
        <Section route={route} />
      </>
    );
  }
  return (
    <>
      <h1>{texts.title}</h1>
      <CheckLinks shown="" />
      <StartForm
        key={`${chain}/${address}`}
        chain={chain === 'auto' ? '' : chain}
        address={address}
        submit={texts.scan}
        onStart={scan}
      />
      {address ? <Found key={`${chain}/${address}`} chain={chain} address={address} /> : <RecentScans />}
    </>
  );
}

function Found({ chain, address }: { chain: string; address: string }) {
  if (chainsOfHash(address).length === 0) return <ScanView chain={chain} address={address} />;
  if (chain === 'auto') return <FoundOnChains hash={address} />;
  return <TransactionView chain={chain} hash={address} />;
}

/** A hash does not name its chain: all that it can be on are asked. */
function FoundOnChains({ hash }: { hash: string }) {
  const { answer, error } = useAnswer((signal) => locateTransaction(hash, signal), [hash]);
  if (error) return <ErrorNote error={error} />;
  if (!answer) return <Loading />;
  const [first, ...others] = answer.chains;
  if (!first) return <ErrorNote error={`${words().parts.transactionUnknown}. ${answer.asked}`} />;
  if (others.length === 0) return <TransactionView chain={first} hash={answer.hash} />;
  return (
    <ul>
      {answer.chains.map((chain) => (
        <li key={chain}>
          <a href={linkTo('scan', [chain, answer.hash])}>{chainName(chain)}</a>
        </li>
      ))}
    </ul>
  );
}

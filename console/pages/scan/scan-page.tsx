import { chainName } from '../../../src/domain/chain.ts';
import { chainsOfHash } from '../../../src/domain/tx-hash.ts';
import { assetText } from '../../browser/figures.ts';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { language, words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { AddressFields } from '../../parts/form/address-fields.tsx';
import { given } from '../../parts/form/form.tsx';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { Scan, ScannedTransaction, Scans } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { locateTransaction } from '../../service/locate.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { CHECKS, CheckLinks, isCheck } from './checks.tsx';
import { ScanView } from './scan-view.tsx';

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

/** The newest recorded scans of the account. */
function RecentScans() {
  const texts = words().scan;
  const { answer, error, loading } = useAnswer<Scans>((signal) => call('/public/scans', { signal }), []);
  return (
    <section class="card" aria-labelledby="recent-scans">
      <div class="row">
        <h2 id="recent-scans">{texts.recent}</h2>
        <SaveButton label={texts.saveScans} path="/public/scans.csv" name="scans.csv" />
      </div>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <Table
          caption={texts.recent}
          rows={answer.scans}
          keyOf={(scan) => scan.scan_id}
          empty={texts.noScans}
          columns={[
            { title: texts.level, cell: (scan) => <LevelBadge level={scan.risk_level} score={scan.risk_score} /> },
            {
              title: texts.address,
              cell: (scan) => <CopyText text={scan.address} link={linkTo('scan', [scan.chain, scan.address])} />,
            },
            { title: texts.chain, cell: (scan) => chainName(scan.chain) },
            { title: texts.detections, cell: (scan) => scan.detection_count, numeric: true },
            { title: texts.source, cell: (scan) => texts.sources[scan.source] },
            { title: texts.when, cell: (scan) => <MomentText at={scan.created_at} /> },
          ]}
        />
      )}
    </section>
  );
}

interface StartFormProps {
  chain: string;
  address: string;
  chainRequired?: boolean;
  /** Text of the button. */
  submit: string;
  /** Receives an empty chain where it is to be detected. */
  onStart: (wanted: { chain: string; address: string }) => void;
}

/** The address that a page begins with. */
function StartForm({ chain, address, chainRequired, submit, onStart }: StartFormProps) {
  const start = (event: Event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    onStart({ chain: given(fields, 'chain') ?? '', address: given(fields, 'address') ?? '' });
  };
  return (
    <form class="card row start" onSubmit={start}>
      <AddressFields chain={chain} address={address} chainRequired={chainRequired} />
      <button type="submit" class="primary">
        {submit}
      </button>
    </form>
  );
}

/** Looks a transaction up and scans both of its sides. */
function TransactionView({ chain, hash }: { chain: string; hash: string }) {
  const texts = words().scan;
  const body = { chain, tx_hash: hash, lang: language.value };
  const { answer, error, loading } = useAnswer(
    (signal) => call<ScannedTransaction>('/scan/tx', { method: 'POST', body, signal }),
    [chain, hash],
  );
  return (
    <>
      <ErrorNote error={error} />
      {loading && <Loading text={texts.scanning} />}
      {answer && <TransactionBothSides answer={answer} />}
    </>
  );
}

/** A transaction with the scans of both its sides. */
function TransactionBothSides({ answer }: { answer: ScannedTransaction }) {
  const texts = words().checks;
  const { parts } = words();
  return (
    <section class="card" aria-labelledby="transaction">
      <h2 id="transaction">{parts.transaction}</h2>
      <CopyText text={answer.tx_hash} whole />
      <dl class="facts">
        <dt>{texts.status}</dt>
        <dd>{texts.statuses[answer.status]}</dd>
        <dt>{parts.when}</dt>
        <dd>{answer.timestamp ? <MomentText at={answer.timestamp} /> : '–'}</dd>
        <dt>{texts.block}</dt>
        <dd>{answer.block_number ?? '–'}</dd>
        <dt>{texts.moved}</dt>
        <dd>{answer.amount === null ? '–' : assetText(`${answer.amount} ${answer.asset}`)}</dd>
      </dl>
      {answer.note && <p class="note">{answer.note}</p>}
      <TransactionSide title={texts.sender} scan={answer.sender as Scan | null} />
      <TransactionSide title={texts.receiver} scan={answer.receiver as Scan | null} />
    </section>
  );
}

function TransactionSide({ title, scan }: { title: string; scan: Scan | null }) {
  if (!scan) {
    return (
      <p>
        {title}: {words().checks.noSide}
      </p>
    );
  }
  return (
    <article class="entry" aria-label={title}>
      <h3>{title}</h3>
      <div class="row center">
        <LevelBadge level={scan.risk_level} score={scan.risk_score} />
        <AddressText chain={scan.chain} address={scan.address} />
        <a href={linkTo('investigate', [scan.chain, scan.address])}>{words().scan.investigate}</a>
      </div>
      {scan.metadata.level_note && <p>{scan.metadata.level_note}</p>}
      <ul>
        {scan.detections.map((one) => (
          <li key={one.detector_id}>{one.description}</li>
        ))}
      </ul>
    </article>
  );
}

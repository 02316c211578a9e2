import { chainName } from '../../../src/domain/chain.ts';
import type { LabelEvidence, SuppressedDetection, Way } from '../../../src/risk/detection.ts';
import { type Figures, FORMS, figureText } from '../../../words/figures.ts';
import { codeWord, lookUp } from '../../../words/look-up.ts';
import { dollars, momentText } from '../../browser/figures.ts';
import { bracketed, comma, labelled, language, words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { EmptyNote } from '../../parts/notes.tsx';
import type { ScanDetection } from '../../service/answers.ts';

interface DetectionsProps {
  chain: string;
  detections: ScanDetection[];
  suppressed: SuppressedDetection[];
}

export function Detections({ chain, detections, suppressed }: DetectionsProps) {
  const texts = words().scan;
  return (
    <section class="card" aria-labelledby="detections">
      <h2 id="detections">{bracketed(texts.detections, detections.length)}</h2>
      {detections.length === 0 && <EmptyNote text={texts.noDetections} />}
      {detections.map((detection) => (
        <DetectionItem key={detection.detector_id} chain={chain} detection={detection} />
      ))}
      {suppressed.length > 0 && (
        <details>
          <summary>{bracketed(texts.suppressed, suppressed.length)}</summary>
          <ul>
            {suppressed.map((one) => (
              <li key={`${one.detector_id} ${one.suppressed_by}`}>
                {labelled(one.detector_name ?? one.detector_id, words().coverage.suppressions[one.suppressed_by])}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function DetectionItem({ chain, detection }: { chain: string; detection: ScanDetection }) {
  const texts = words().scan;
  const { details } = detection;
  const ways = details?.ways ?? [];
  // Labels do not name their chain; those at the ends of ways stand on the chain of the way.
  const chainOf = (address: string) => ways.find((way) => way.address === address)?.chain ?? chain;
  return (
    <article class="detection">
      <div class="row center">
        <LevelBadge level={detection.severity} />
        <h3>{detection.detector_name}</h3>
      </div>
      <p>{detection.description}</p>
      {details && (
        <details>
          <summary>
            {details.evidence.length > 0 ? bracketed(texts.evidence, details.evidence.length) : texts.evidence}
          </summary>
          <div class="columns">
            <FigureList title={texts.measured} figures={details.measured} />
            <FigureList title={texts.thresholds} figures={details.thresholds} />
          </div>
          {details.labels.length > 0 && (
            <>
              <h4>{texts.labels}</h4>
              <ul>
                {details.labels.map((label) => (
                  <li key={`${label.address} ${label.source}`}>
                    <AddressText chain={chainOf(label.address)} address={label.address} /> {label.label}{' '}
                    <CategoryBadge category={label.category} /> <span class="muted">{label.source}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <Ways chain={chain} ways={ways} labels={details.labels} />
          {details.evidence.length > 0 && (
            <>
              <h4>{texts.evidence}</h4>
              <ul class="evidence">
                {details.evidence.map((transfer) => (
                  <li key={transfer}>
                    <CopyText text={transfer} />
                  </li>
                ))}
              </ul>
            </>
          )}
          {details.truncated && <p class="muted">{texts.truncated}</p>}
        </details>
      )}
    </article>
  );
}

function FigureList({ title, figures }: { title: string; figures: Figures }) {
  return (
    <div>
      <h4>{title}</h4>
      <dl class="facts">
        {Object.entries(figures).map(([name, value]) => {
          const text = textOf(name, value);
          return (
            text !== '' && (
              <div key={name} class="fact">
                <dt>{lookUp(words().measures, name)}</dt>
                <dd>{text}</dd>
              </div>
            )
          );
        })}
      </dl>
    </div>
  );
}

/** Writes a figure in words; nothing for an empty list. */
function textOf(name: string, value: Figures[string]): string {
  const levels: Record<string, string> = words().parts.levels;
  if (typeof value === 'string' && Object.hasOwn(levels, value)) return levels[value]!;
  return figureText(name, value, {
    comma: comma(),
    moment: momentText,
    word: (code) => codeWord(words().codes, code),
    number: FORMS[language.value].number,
  });
}

interface WaysProps {
  /** The chain of the scan. */
  chain: string;
  ways: Way[];
  labels: LabelEvidence[];
}

/** The paths to the parties behind unlabelled addresses, each with every transfer from the scanned address outwards. */
function Ways({ chain, ways, labels }: WaysProps) {
  const texts = words().scan;
  if (ways.length === 0) return null;
  return (
    <>
      <h4>{texts.ways}</h4>
      <ul class="ways">
        {ways.map((way) => {
          const label = labels.find(({ address }) => address === way.address);
          return (
            <li key={`${way.chain} ${way.address}`}>
              <AddressText chain={way.chain ?? chain} address={way.address} /> {label?.label}{' '}
              {label && <CategoryBadge category={label.category} />}{' '}
              <span class="muted">
                {chainName(way.chain ?? chain)} · {texts.hops(way.hops)} · {dollars(way.usd)}
              </span>
              <ol>
                {way.path.map((transfer) => (
                  <li key={transfer}>
                    <CopyText text={transfer} whole />
                  </li>
                ))}
              </ol>
            </li>
          );
        })}
      </ul>
    </>
  );
}

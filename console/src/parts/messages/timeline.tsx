import { Badge, type Tone } from '../../ui/badge.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { Code } from '../../ui/why.tsx';

export interface Step {
  at: string;
  title: string;
  tone: Tone;
  /** Sentences. */
  details: readonly string[];
  /** The provider's, of a failure. */
  code?: string;
}

/** What happened, in order. */
export const TimelineList = ({ steps }: { steps: readonly Step[] }) => (
  <ol className="timeline">
    {steps.map(({ at, title, tone, details, code }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be alike, and none moves
      <li key={`${at}-${index}`}>
        <div className="timeline-head">
          <Badge tone={tone}>{title}</Badge>
          {code !== undefined && <Code code={code} />}
          <span className="muted small">
            <Time at={at} form="full" />
          </span>
        </div>
        {details.map((words) => (
          <div className="timeline-words" key={words}>
            <Words text={words} />
          </div>
        ))}
      </li>
    ))}
  </ol>
);

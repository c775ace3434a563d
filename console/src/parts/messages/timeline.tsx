import { Badge, type Tone } from '../../ui/badge.tsx';
import { Time, Words } from '../../ui/value.tsx';

export interface Step {
  at: string;
  title: string;
  tone: Tone;
  /** Names and values, all as text. */
  details: readonly (readonly [string, string])[];
}

/** What happened, in order. */
export const TimelineList = ({ steps }: { steps: readonly Step[] }) => (
  <ol className="timeline">
    {steps.map(({ at, title, tone, details }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be alike, and none moves
      <li key={`${at}-${index}`}>
        <div className="timeline-head">
          <Badge tone={tone}>{title}</Badge>
          <span className="muted small">
            <Time at={at} form="full" />
          </span>
        </div>
        {details.length > 0 && (
          <dl className="timeline-details">
            {details.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Words text={value} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </li>
    ))}
  </ol>
);

import { Words } from './value.tsx';
import './preview.css';

/**
 * The text of a template with the values of its numbered places; a place without value shows the name
 * of its variable where that is known, else it stays.
 */
export const filled = (
  text: string,
  values: readonly string[],
  names: readonly string[] = [],
): string =>
  text.replace(/\{\{(\d+)\}\}/g, (place, number) => {
    const at = Number(number) - 1;
    return values[at]?.trim() || (names[at] === undefined ? place : `‹${names[at]}›`);
  });

/** A message as its reader sees it. */
export const MessagePreview = ({
  header,
  text,
  footer,
}: {
  header?: string;
  text: string;
  footer?: string;
}) => (
  <figure className="preview" aria-label="Preview of the message">
    <div className="preview-bubble">
      {header && (
        <strong>
          <Words text={header} />
        </strong>
      )}
      <Words text={text} />
      {footer && (
        <span className="muted small">
          <Words text={footer} />
        </span>
      )}
    </div>
  </figure>
);

/** A part of a form: a text, or a file with a name. */
export interface Part {
  name?: string;
  value: string | Buffer;
  filename?: string;
  type?: string;
}

export const BOUNDARY = 'the-boundary';

const headOf = ({ name, filename, type }: Omit<Part, 'value'>): string =>
  [
    `--${BOUNDARY}`,
    ...(name === undefined
      ? []
      : [
          `Content-Disposition: form-data; name="${name}"` +
            (filename === undefined ? '' : `; filename="${filename}"`),
        ]),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '\r\n',
  ].join('\r\n');

export const partOf = ({ value, ...head }: Part): Buffer =>
  Buffer.concat([Buffer.from(headOf(head)), Buffer.from(value), Buffer.from('\r\n')]);

export const FORM_END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** The body of a form with these parts. */
export const formOf = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.map(partOf), FORM_END]);

/** A form up to the content of its file. */
export const formHead = (type: string): Buffer =>
  Buffer.from(headOf({ name: 'file', filename: 'a', type }));

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

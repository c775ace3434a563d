import { expect } from 'chai';
import { fileBounds, readFile } from '../../../src/commands/jobs/read-file.ts';
import { failureOf } from '../../support/spec.ts';

const columns = { to: 'phone', variables: { otp: 'code' } };
const HEAD = 'phone,code\n';
const LINE = '+919812345678,123456\n';

async function* chunksOf(content: string | Buffer, size: number) {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const readAll = async (
  content: string | Buffer,
  format: 'csv' | 'jsonl' = 'csv',
  chunk = 65_536,
) => {
  const rows = [];
  for await (const row of readFile(chunksOf(content, chunk), format, columns)) rows.push(row);
  return rows;
};

describe('the file of a job', () => {
  it('is read by its columns, however its bytes come, with the first row after the head as 1', async () => {
    const csv = `\uFEFFphone,code,name\r\n+91981,1,"Zoë, ""Z"""\r\n\r\n+91982,2,\n`;
    const expected = [
      { row: 1, fields: { phone: '+91981', code: '1', name: 'Zoë, "Z"' } },
      { row: 2, fields: { phone: '+91982', code: '2', name: '' } },
    ];
    for (const size of [1, 3, 65_536]) {
      expect(await readAll(csv, 'csv', size)).to.deep.equal(expected);
    }
    const lines = '{"phone":"+91981","code":1}\n\n{"phone":"Zoë"}';
    for (const size of [1, 65_536]) {
      expect(await readAll(lines, 'jsonl', size)).to.deep.equal([
        { row: 1, fields: { phone: '+91981', code: 1 } },
        { row: 2, fields: { phone: 'Zoë' } },
      ]);
    }
  });

  it('has rows without use, which say why', async () => {
    const [row] = await readAll(`${HEAD}+91981\n`);
    expect(row!.problem).to.equal('has 1 fields, and the head has 2');
    const [line] = await readAll('[1]', 'jsonl');
    expect(line!.problem).to.equal('is no object with the columns as its fields');
  });

  it('keeps every digit of a number in JSON, or says that it cannot', async () => {
    const [whole, fraction] = await readAll(
      '{"phone":"1","code":12345678901234567890}\n{"phone":"2","code":12345678901234567.5}',
      'jsonl',
    );
    expect(whole!.fields).to.deep.equal({ phone: '1', code: 12345678901234567890n });
    expect(fraction!.problem).to.include('write it as a text');
  });

  for (const [what, content, reason, format] of [
    ['nothing', '', 'The file is empty'],
    ['a head alone', HEAD, 'The file has no rows'],
    ['a zip', Buffer.from('PK\u0003\u0004'), 'a zip or a spreadsheet'],
    ['Latin-1', Buffer.from(`${HEAD}Zo\u00eb,1\n`, 'latin1'), 'not UTF-8'],
    ['UTF-16', Buffer.from(`\uFEFF${HEAD}${LINE}`, 'utf16le'), 'not UTF-8'],
    ['UTF-16 without a mark', Buffer.from(HEAD, 'utf16le'), 'NUL characters'],
    ['a cut character', Buffer.from(`${HEAD}1,Zoë`).subarray(0, -1), 'not UTF-8'],
    ['semicolons', 'phone;code\n1;2\n', 'has no column "phone", but "phone;code"; columns are'],
    ['tabs', 'phone\tcode\n1\t2\n', 'columns are parted by commas'],
    ['a missing column', 'phone,name\n1,2\n', 'has no column "code", but "phone", "name"'],
    ['a column twice', 'phone,code,code\n1,2,3\n', 'two columns "code"'],
    ['an open quote', `${HEAD}"+91`, 'a quote is not closed'],
    ['a long row', `${HEAD}"${'x'.repeat(70_000)}`, 'longer than 64 KB'],
    ['a cut line', '{"phone":"+91"}\n{"pho', 'Line 2 is no JSON', 'jsonl'],
    ['a long line', `{"phone":"${'x'.repeat(70_000)}`, 'longer than 64 KB', 'jsonl'],
    ['too many rows', HEAD + '1,2\n'.repeat(fileBounds.rowsMax + 1), 'more than 100,000 rows'],
  ] as const) {
    it(`is refused for ${what}, with the reason`, async () => {
      const refusal = await failureOf(readAll(content, format ?? 'csv'));
      expect(refusal).to.include({ code: 'job.unusable' });
      expect(refusal.message).to.include(reason);
    });
  }
});

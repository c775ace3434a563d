import { expect } from 'chai';
import nock from 'nock';
import { sender } from '../../support/provider.ts';
import { calls } from './calls.ts';
import { GRAPH, useGraphProvider } from './stage.ts';

/** Methods of the port that send no request of their own. */
const SILENT = ['close', 'heard', 'takeSlot'];

/** The body as the table has it. */
const bodyIn = async (request: Request): Promise<unknown> => {
  const text = await request.text();
  const [, boundary] = /boundary=(.+)$/.exec(request.headers.get('content-type') ?? '') ?? [];
  if (boundary !== undefined) return text.replaceAll(boundary, 'boundary');
  return text === '' ? undefined : JSON.parse(text);
};

describe('The calls to the provider', () => {
  const provider = useGraphProvider();

  /** Answers these requests one after the other, and keeps what came in. */
  const record = (answers: object[]) => {
    const made: object[] = [];
    const take = async (request: Request) => {
      const { pathname: path, searchParams } = new URL(request.url);
      const body = await bodyIn(request);
      made.push({ method: request.method, path, query: Object.fromEntries(searchParams), body });
      return answers[made.length - 1];
    };
    const host = nock(GRAPH, { reqheaders: { authorization: `Bearer ${sender().accessToken}` } });
    for (const method of ['GET', 'POST', 'DELETE']) {
      host.intercept(/./, method).optionally().times(answers.length).reply(200, take);
    }
    return made;
  };

  for (const { name, run, requests } of calls) {
    it(name, async () => {
      const made = record(requests.map(({ answer }) => answer));
      await run(provider);
      expect(made).to.deep.equal(
        requests.map(({ method, path, query = {}, body }) => ({
          method,
          path: `/v25.0/${path}`,
          query,
          body,
        })),
      );
    });
  }

  it('are all of the port', () => {
    const methods = Object.keys(provider).filter((name) => !SILENT.includes(name));
    expect([...new Set(calls.map(({ of }) => of))].sort()).to.deep.equal(methods.sort());
  });
});

import { expect } from 'chai';
import { createResolve, type NameServices } from '../../src/net/resolve.ts';

type Answer = string[] | string;

/** Addresses, or the code of an error. */
const answer = async (given: Answer): Promise<string[]> => {
  if (typeof given === 'string') throw Object.assign(new Error(given), { code: given });
  return given;
};
const servers = (four: Answer, six: Answer) =>
  ({ resolve4: () => answer(four), resolve6: () => answer(six) }) as unknown as NonNullable<
    NameServices['servers']
  >;

const outcomeOf = async (four: Answer, six: Answer, system?: Answer) => {
  const asked: string[] = [];
  const resolve = createResolve({
    askSystem: system !== undefined,
    servers: servers(four, six),
    system: async (hostname) => {
      asked.push(hostname);
      return (await answer(system ?? [])).map((address) => ({ address }));
    },
  });
  const found = await resolve('shop.example').catch((error) => error.code);
  return { found, asked };
};

describe('names', () => {
  it('have their IPv4 and IPv6 addresses, in this order', async () => {
    const { found } = await outcomeOf(['1.1.1.1', '1.0.0.1'], ['2606:4700::1111']);
    expect(found).to.deep.equal(['1.1.1.1', '1.0.0.1', '2606:4700::1111']);
  });

  it('have those of one version when the query for the other fails', async () => {
    expect((await outcomeOf('ETIMEOUT', ['::2'])).found).to.deep.equal(['::2']);
    expect((await outcomeOf(['1.1.1.1'], 'ESERVFAIL')).found).to.deep.equal(['1.1.1.1']);
  });

  for (const code of ['ENOTFOUND', 'ENODATA', 'ENONAME', 'EAI_NONAME']) {
    it(`have no address after ${code}`, async () => {
      expect((await outcomeOf(code, code)).found).to.deep.equal([]);
      expect((await outcomeOf([], [], code)).found).to.deep.equal([]);
    });
  }

  it('are an error when no server answers', async () => {
    expect((await outcomeOf('ESERVFAIL', [])).found).to.equal('ESERVFAIL');
    expect((await outcomeOf([], [], 'EAI_AGAIN')).found).to.equal('EAI_AGAIN');
  });

  it('go to the system’s resolver when private networks are in use and no server knows them', async () => {
    for (const code of ['ENOTFOUND', 'ESERVFAIL', 'ECONNREFUSED']) {
      const { found, asked } = await outcomeOf(code, [], ['10.0.0.7']);
      expect({ found, asked }).to.deep.equal({ found: ['10.0.0.7'], asked: ['shop.example'] });
    }
    expect((await outcomeOf(['1.1.1.1'], [], ['10.0.0.7'])).asked).to.deep.equal([]);
    expect((await outcomeOf([], [])).asked).to.deep.equal([]);
  });

  it('row 77: are an error where the servers do not answer in time, and no question to the system', async () => {
    for (const [four, six] of [
      ['ETIMEOUT', 'ETIMEOUT'],
      ['ETIMEOUT', []],
      ['ENOTFOUND', 'ETIMEOUT'],
    ] as const) {
      const { found, asked } = await outcomeOf(four as Answer, six as Answer, ['10.0.0.7']);
      expect({ found, asked }).to.deep.equal({ found: 'ETIMEOUT', asked: [] });
    }
  });

  it('resolve localhost without a query', async () => {
    const resolve = createResolve({ askSystem: true, servers: servers(['1.1.1.1'], []) });
    expect(await resolve('localhost')).to.deep.equal(['127.0.0.1', '::1']);
  });

  it('go to the system’s own resolver by default', async () => {
    const resolve = createResolve({ askSystem: true, servers: servers([], []) });
    expect(await resolve('127.0.0.1')).to.deep.equal(['127.0.0.1']);
  });
});

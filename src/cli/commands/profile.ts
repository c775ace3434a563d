import { createLocalAct, optionsOf } from '../program/context.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { readProfiles } from '../program/profiles.ts';
import { readConnection } from '../program/settings.ts';

const list: Verb = (noun, _act, io) => {
  const command = noun
    .command('list')
    .description('List the profiles, and which one commands use now')
    .action(
      createLocalAct(io)(async ({ out }, _: unknown) => {
        const used = readConnection(optionsOf([command]), io.env).profile;
        const profiles = [...readProfiles(io.env)].map(([name, { url, adminToken, apiKey }]) => ({
          name,
          url,
          adminToken: adminToken !== undefined,
          apiKey: apiKey !== undefined,
          used: name === used,
        }));
        out.list({ rows: profiles, nextCursor: null, answer: { profiles } }, [
          { header: 'NAME', of: 'name' },
          { header: 'URL', of: 'url', narrow: 'cut' },
          { header: 'ADMINISTRATOR TOKEN', of: 'adminToken', narrow: 'drop' },
          { header: 'API KEY', of: 'apiKey', narrow: 'drop' },
          { header: 'IN USE', of: 'used' },
        ]);
      }),
    );
};

export const profile: Noun = {
  name: 'profile',
  group: 'Setup',
  summary: 'Addresses and credentials that waybill login stored: list',
  verbs: [list],
  examples: ['profile list'],
};

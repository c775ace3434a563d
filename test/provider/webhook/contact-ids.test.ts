import { expect } from 'chai';
import { contactIdsOf } from '../../../src/provider/webhook/contact-ids.ts';
import { rawOf } from '../../../src/provider/webhook/item.ts';
import { decodeWebhook } from '../../../src/provider/webhook/webhook.ts';

const USER = 'IN.13491208655302741918';
const OTHER_USER = 'IN.13491208655302741919';
const payload = (field: string, value: object) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '20', changes: [{ field, value }] }],
});
const metadata = { display_phone_number: '+1 555 010 0001', phone_number_id: '100000000010001' };
/** Of each item of a change of this field. */
const idsIn = (field: string, value: object): string[][] => {
  const decoding = decodeWebhook(Buffer.from(JSON.stringify(payload(field, value))));
  if (!decoding.ok) throw new Error(decoding.reason);
  return [...decoding.items].map((item) => contactIdsOf(rawOf(item)));
};

describe('The ids of customers in an item of a webhook', () => {
  it('are those of the sender of a message, once each, and of whom its content names', () => {
    const message = {
      id: 'wamid.1',
      type: 'contacts',
      timestamp: '1',
      from: '919812345678',
      from_user_id: USER,
      contacts: [{ phones: [{ wa_id: '4915112345678' }] }],
    };
    const contacts = [{ wa_id: '919812345678', user_id: USER, profile: { name: 'Mia' } }];
    const ids = idsIn('messages', { metadata, contacts, messages: [message] });
    expect(ids).to.deep.equal([['919812345678', USER, '4915112345678']]);
  });

  it('are those of each item alone, where a change has several', () => {
    const statuses = ['1', '2'].map((id) => ({
      id: `wamid.${id}`,
      status: 'read',
      timestamp: '1',
      recipient_id: `491511234567${id}`,
    }));
    expect(idsIn('messages', { metadata, statuses })).to.deep.equal([
      ['4915112345671'],
      ['4915112345672'],
    ]);
    const [status] = statuses;
    const withUser = { ...status, recipient_id: undefined, recipient_user_id: USER };
    expect(idsIn('messages', { metadata, statuses: [withUser] })).to.deep.equal([[USER]]);
  });

  it('are those of a preference, and both of a change', () => {
    const preference = { category: 'a', value: 'stop', timestamp: '1', wa_id: '919812345678' };
    const preferences = { metadata, user_preferences: [preference] };
    expect(idsIn('user_preferences', preferences)).to.deep.equal([['919812345678']]);
    const system = { type: 'user_changed_user_id', previous_user_id: USER, user_id: OTHER_USER };
    const message = { id: 'wamid.1', type: 'system', timestamp: '1', from: '919812345678', system };
    expect(idsIn('messages', { metadata, messages: [message] })[0]).to.have.members([
      '919812345678',
      USER,
      OTHER_USER,
    ]);
  });

  it('are found in lists within lists, in groups and in address books', () => {
    const [mia, ben, zoe] = ['919812345678', '4915112345671', '4915112345672'];
    const thread = { id: mia, messages: [{ id: 'wamid.1', from: mia, to: '15550100001' }] };
    const shapes: [string, object, string[]][] = [
      ['history', { metadata, history: [{ metadata: { phase: 0 }, threads: [thread] }] }, [mia]],
      [
        'smb_app_state_sync',
        { metadata, state_sync: [{ type: 'contact', contact: { phone_number: mia } }] },
        [mia],
      ],
      [
        'group_participants_update',
        {
          metadata,
          groups: [{ group_id: 'g', added_participants: [{ wa_id: ben }, { wa_id: zoe }] }],
        },
        [ben, zoe],
      ],
      [
        'messages',
        { metadata, statuses: [{ id: 'wamid.1', status: null, recipient_participant_id: mia }] },
        [mia],
      ],
    ];
    for (const [field, value, ids] of shapes) {
      expect(idsIn(field, value).flat(), field).to.have.members(ids);
    }
  });

  it('are found in items of unknown kinds, without the number of the business', () => {
    const echo = { id: 'wamid.1', from: '15550100001', to: '919812345678', type: 'text' };
    const echoes = { metadata, message_echoes: [echo] };
    expect(idsIn('smb_message_echoes', echoes)).to.deep.equal([['919812345678']]);
    const noId = { from: 919812345678, text: { body: 'hi' } };
    expect(idsIn('messages', { metadata, messages: [noId] })).to.deep.equal([['919812345678']]);
  });

  it('are none where nothing can be read', () => {
    for (const raw of ['', 'x', 'null', '[]', '{}', '{"entry":7}', '{"entry":[{"changes":[7]}]}']) {
      expect(contactIdsOf(raw)).to.deep.equal([]);
    }
    expect(idsIn('account_update', { event: 'X' })).to.deep.equal([[]]);
  });
});

import { expect } from 'chai';
import { useRealConnections } from '../../support/network.ts';
import { readPublished } from '../../support/published/document.ts';
import { type Repair, repairs } from '../../support/published/repairs.ts';
import { sharpen } from '../../support/published/sharpen.ts';
import type { Json } from '../../support/waybill.ts';
import { differencesOf } from './differences.ts';
import { exceptions } from './exceptions.ts';
import { type Traffic, trafficOf } from './traffic.ts';

const published = readPublished();
if (!published) {
  console.log(
    "META_OPENAPI is not set: nothing is compared with the provider's published schemas. Set it to the" +
      ' file business-messaging-api_v23.0.yaml of https://github.com/facebook/openapi',
  );
}

/** A change of one kind of traffic, and the difference that it makes. */
const spoils: [what: string, change: (traffic: Traffic) => void, difference: RegExp][] = [
  ['a message without its recipient', (at) => delete sent(at, 'text').to, /sends: \/ breaks anyOf/],
  [
    'a misspelled field of a message',
    (at) => Object.assign(sent(at, 'text').text, { previewUrl: true }),
    /sends: \/text\/previewUrl is unknown/,
  ],
  [
    'a text that is no text',
    (at) => Object.assign(sent(at, 'text').text, { body: 7 }),
    /sends: \/text\/body breaks type: 7/,
  ],
  [
    'a title that is too long',
    (at) => {
      sent(at, 'interactive').interactive.header.text = 'x'.repeat(61);
    },
    /sends: \/interactive\/header\/text breaks maxLength/,
  ],
  [
    'an interactive message of another form',
    (at) => {
      sent(at, 'interactive').interactive.action = { rows: [] };
    },
    /sends: \/interactive\/action breaks oneOf/,
  ],
  [
    'a receipt without its message',
    (at) => delete at.calls.find(({ sent }) => sent?.status === 'read')!.sent!.message_id,
    /sends: \/message_id is missing/,
  ],
  [
    'a PIN that is no number',
    (at) => Object.assign(at.calls.find(({ sent }) => sent?.pin)!.sent!, { pin: '12345x' }),
    /sends: \/pin breaks pattern/,
  ],
  [
    'a form with a field of another type',
    (at) =>
      Object.assign(at.calls.find(({ mediaType }) => mediaType === 'multipart/form-data')!.sent!, {
        messaging_product: 7,
      }),
    /media sends: \/messaging_product breaks type: 7/,
  ],
  [
    'an answer whose id is a number',
    (at) => Object.assign(at.calls[0]!.answered.messages[0], { id: 7 }),
    /answers 200: \/messages\[\]\/id breaks type: 7/,
  ],
  [
    'an error without its code',
    (at) => delete at.others.find(({ status }) => status === 400)!.answered.error.code,
    /answers 400: \/error\/code is missing/,
  ],
  [
    'a tap that does not name its message',
    (at) => delete received(at, 'interactive').context,
    /webhook: .*\/messages\[\]\/context is missing/,
  ],
  [
    'a status with a new field',
    (at) => Object.assign(changeWith(at, 'statuses').statuses[0], { colour: 'red' }),
    /webhook: .*\/statuses\[\]\/colour is unknown/,
  ],
];

const sent = ({ calls }: Traffic, type: string): Json =>
  calls.find((call) => call.sent?.type === type)!.sent!;

const changeWith = ({ notices }: Traffic, key: string): Json =>
  notices.map((notice) => notice.entry[0].changes[0].value).find((value) => value[key])!;

const received = ({ notices }: Traffic, type: string): Json =>
  notices
    .flatMap((notice) => notice.entry[0].changes[0].value.messages ?? [])
    .find((message) => message.type === type)!;

(published ? describe : describe.skip)("The provider's published schemas", () => {
  useRealConnections();
  let traffic: Traffic;
  let known: string[];
  before(async () => {
    traffic = await trafficOf();
    known = differences();
  });

  const differences = (with_: readonly Repair[] = repairs, of = traffic): string[] => {
    const document = structuredClone(published!);
    for (const repair of with_) repair(document);
    sharpen(document);
    return differencesOf(document, of);
  };

  it('describe the calls of the service and the answers and webhooks of the simulator', () => {
    const expected = exceptions.flatMap((exception) => exception.differences);
    expect(known).to.deep.equal(expected.sort());
  });

  for (const repair of repairs) {
    it(`still need the repair ${repair.name}`, () => {
      let found: string[] | undefined;
      try {
        found = differences(repairs.filter((one) => one !== repair));
      } catch (error) {
        // Schemas that refer to each other without an end cannot be compiled.
        expect(error).to.be.instanceOf(RangeError);
      }
      if (found) expect(found.filter((one) => !known.includes(one))).not.to.deep.equal([]);
    });
  }

  for (const [what, change, difference] of spoils) {
    it(`show ${what}`, () => {
      const spoiled = structuredClone(traffic);
      change(spoiled);
      const found = differences(repairs, spoiled).filter((one) => !known.includes(one));
      expect(found).to.have.length(1);
      expect(found[0]).to.match(difference);
    });
  }
});

import type { FactOf } from '../../events/define.ts';
import type { MessageSent } from '../../events/message.ts';

// What the stream of a message refuses, for callers that know another way.

/** The message has no record of its send: the caller looks for its charge. */
export class Unrecorded extends Error {
  constructor(messageRef: string) {
    super(`the send of ${messageRef} is not recorded`);
    this.name = 'Unrecorded';
  }
}

/** The status holds personal data of the message's contact: the caller looks for its data key. */
export class NeedsSubject extends Error {
  readonly accountId: string;
  readonly contactRef: string;
  constructor({ accountId, contactRef }: { accountId: string; contactRef: string }) {
    super(`the data key of ${contactRef} is needed`);
    this.name = 'NeedsSubject';
    this.accountId = accountId;
    this.contactRef = contactRef;
  }
}

/** The message is recorded under a user id: the caller looks for the contact that has it now. */
export class HiddenRecipient extends Error {
  readonly sent: FactOf<typeof MessageSent>['data'];
  constructor(sent: FactOf<typeof MessageSent>['data']) {
    super(`${sent.messageRef} was sent to a user id`);
    this.name = 'HiddenRecipient';
    this.sent = sent;
  }
}

/** The id belongs to a message of another charge or of a customer. */
export class IdTaken extends Error {
  constructor(messageRef: string) {
    super(`the id of ${messageRef} is that of another message already`);
    this.name = 'IdTaken';
  }
}

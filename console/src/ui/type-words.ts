// What happened, in the words of every page, by the type of its event in the log.

const words: Readonly<Record<string, string>> = {
  ApiKeyCreated: 'API key made',
  ApiKeyStateChanged: 'API key changed',
  BotsResumed: 'conversation given back',
  BotsSilenced: 'conversation taken over',
  ChargeRefunded: 'refunded',
  ChargeReserved: 'charged',
  CreditsGranted: 'topped up',
  CreditsRevoked: 'taken back',
  MessageMarkedRead: 'shown to the customer as read',
  MessageReceived: 'received from the customer',
  MessageSent: 'taken by WhatsApp',
  PhoneLinked: 'number linked',
  PhoneTokenSet: 'access token set',
  PhoneUnlinked: 'number unlinked',
  SessionEnded: 'signed out',
  SessionStarted: 'signed in',
};

/** Any other as it is written: `AccountOpened` as `account opened`. */
export const typeWords = (type: string): string =>
  words[type] ?? type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

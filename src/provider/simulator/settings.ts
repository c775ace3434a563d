export interface Settings {
  appSecret: string;
  /** Where webhooks go; null sends none. */
  webhookUrl: string | null;
  /** Whether numbers, business accounts and files must be set up before calls name them. */
  strict: boolean;
  invalidTokens: readonly string[];
  /** Milliseconds. */
  timings: {
    answerMs: number;
    sentMs: number;
    deliveredMs: number;
    readMs: number;
    reviewMs: number;
    authenticationReviewMs: number;
    /** Pauses before the further attempts of a webhook without a 2xx answer. */
    retryMs: readonly number[];
  };
  /** Probability, from 0 to 1, that the updates of an ordinary message go wrong in this way. */
  chaos: { swap: number; duplicate: number; omitDelivered: number; early: number };
  /** The most updates in one webhook. */
  batch: number;
  /** Whether a message other than a template fails (131047) outside the 24-hour window. */
  enforceWindow: boolean;
  /** Whether messages without a template are taken; `restricted` refuses them with 139200. */
  directSend: 'off' | 'on' | 'restricted';
  /** Free messages other than templates, for each number and UTC month; later ones are billed. */
  freeServiceMessages: number;
  /** Whether more than 10 messages to one recipient in 60 s are refused (131056). */
  pairLimit: boolean;
}

export const defaultTimings: Settings['timings'] = {
  answerMs: 0,
  sentMs: 50,
  deliveredMs: 150,
  readMs: 300,
  reviewMs: 300,
  authenticationReviewMs: 50,
  retryMs: [100, 500, 2000, 10_000, 60_000],
};

export const noChaos: Settings['chaos'] = { swap: 0, duplicate: 0, omitDelivered: 0, early: 0 };

export const defaultSettings: Omit<Settings, 'appSecret' | 'timings' | 'chaos'> = {
  webhookUrl: null,
  strict: false,
  invalidTokens: [],
  batch: 1,
  enforceWindow: true,
  directSend: 'off',
  freeServiceMessages: 1000,
  pairLimit: false,
};

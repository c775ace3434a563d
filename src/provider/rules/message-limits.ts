// The provider's limits of a message, each stated once: for callers of the API and for bots.

/** Lengths in characters, as JavaScript counts them. */
export const lengths = {
  text: 4096,
  caption: 1024,
  /** The one-time code of an authentication template. */
  code: 15,
  /** `biz_opaque_callback_data`. */
  opaque: 512,
  /** Text of an interactive message, of one without a template outside the window, and of a template. */
  body: 1024,
  header: 60,
  footer: 60,
  /** Labels of a reply button, of a list's button, of a link and of a flow. */
  buttonTitle: 20,
  buttonId: 256,
  sectionTitle: 24,
  rowTitle: 24,
  rowDescription: 72,
  rowId: 200,
  /** These the provider does not tell. They keep what is stored of a message within an event. */
  template: 512,
  language: 20,
  link: 2048,
  mediaId: 200,
  filename: 500,
  place: 1000,
  messageId: 500,
  accountId: 300,
  /** An emoji of several parts, such as a family, has up to 35 UTF-16 units. */
  emoji: 64,
} as const;

export const counts = {
  buttons: 3,
  sections: 10,
  /** Rows of all sections of a list together. */
  rows: 10,
  /** Products of all sections together. */
  products: 30,
  cards: { min: 2, max: 10 },
  contacts: 257,
} as const;

/** The kinds of media that have a caption. */
export const CAPTIONED: readonly string[] = ['image', 'video', 'document'];

import { type Form, idInStream, type Upcast } from './define.ts';
import { type Outline, splitStored } from './intent.ts';
import { type Price, packPrice, unpackPrice } from './price.ts';

// The stored form of ChargeReserved. Every message has one, so it repeats nothing that its stream or
// another field tells.

/** Version 1 held the intent in clear. */
export const chargeUpcasts: readonly Upcast[] = [
  ({ intent, ...v1 }) => ({
    ...{ ...v1, contactRef: (intent as { to: string }).to },
    ...splitStored(intent),
  }),
];

/** The source of most messages, which is not stored. */
const USUAL_SOURCE = 'notification';

/** The outline without what the event's key tells. */
const packOutline = ({ source, content, ...outline }: Outline) => {
  const { name, ...rest } = content;
  return {
    ...outline,
    ...(source !== USUAL_SOURCE && { source }),
    content: content.type === 'notification' && name === outline.event ? rest : content,
  };
};

type Packed = ReturnType<typeof packOutline>;

const unpackOutline = ({ content, ...outline }: Packed) => {
  const { event } = outline;
  const isNamed = content.type === 'notification' && event !== undefined;
  return {
    source: USUAL_SOURCE,
    ...outline,
    content: isNamed ? { name: event, ...content } : content,
  };
};

export const chargeForm: Form = {
  pack({ accountId: _, entryId: __, price, reason, ...data }) {
    const outline = data.outline as Outline;
    return {
      ...data,
      ...(reason !== outline.event && { reason }),
      outline: packOutline(outline),
      price: packPrice(price as Price),
    };
  },
  unpack({ price, ...stored }, stream) {
    const outline = unpackOutline(stored.outline as Packed);
    return {
      accountId: idInStream(stream, 'account'),
      // The ids of charge and row differ in their first letters only.
      entryId: String(stored.chargeId).replace(/^chg_/, 'led_'),
      reason: outline.event,
      ...stored,
      outline,
      price: unpackPrice(price),
    };
  },
};

/** What a simulated customer does. */
export type Step = { text: string } | { buttonId: string } | { rowId: string } | { wait: number };

interface Choice {
  step: Step;
  title: string;
}

interface Interactive {
  action?: {
    buttons?: readonly { reply?: { id: string; title: string } }[];
    sections?: readonly { rows?: readonly { id: string; title: string }[] }[];
  };
}

/** The buttons or rows of a message, as the provider would receive it. */
export const choicesIn = (content: unknown): readonly Choice[] => {
  const { action } = ((content as { interactive?: Interactive } | undefined)?.interactive ??
    {}) as Interactive;
  const buttons = (action?.buttons ?? []).flatMap(({ reply }) =>
    reply ? [{ step: { buttonId: reply.id }, title: reply.title }] : [],
  );
  const rows = (action?.sections ?? []).flatMap((section) => section.rows ?? []);
  return [...buttons, ...rows.map(({ id, title }) => ({ step: { rowId: id }, title }))];
};

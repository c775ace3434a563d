import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { Ask, textIn } from '../../ui/ask.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { usePhones } from '../send/number-field.tsx';
import type { Bot } from './graph.ts';
import { type BotSummary, LIST_KEY, readBots } from './read.ts';

type Trigger = BotSummary['trigger'];
type Match = Bot['triggerMatchType'];

const triggers: readonly { value: Trigger; label: string }[] = [
  { value: 'KEYWORD', label: 'a message with a keyword' },
  { value: 'ANY_MESSAGE', label: 'any message' },
  { value: 'BUTTON_REPLY', label: 'a tapped button' },
  { value: 'LIST_REPLY', label: 'a chosen row of a list' },
  { value: 'OPTIN', label: 'an opt-in' },
];

const matches: readonly { value: Match; label: string }[] = [
  { value: 'CONTAINS', label: 'anywhere in the message' },
  { value: 'EXACT', label: 'as the whole message' },
  { value: 'STARTS_WITH', label: 'at its beginning' },
];

/** The words between commas. */
export const keywordsIn = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The number that a bot answers on; every number where the key may not see them. */
const NumberField = ({ of }: { of: string | null }) => {
  const phones = usePhones();
  if (phones.length === 0) return null;
  return (
    <SelectField
      label="Answers on"
      name="phoneNumberId"
      defaultValue={of ?? ''}
      options={[
        { value: '', label: 'every number' },
        ...phones.map(({ phoneNumberId, displayPhoneNumber }) => ({
          value: phoneNumberId,
          label: displayPhoneNumber,
        })),
      ]}
    />
  );
};

/** Name, description, number, and what starts the bot. */
export const BotSettings = ({ bot }: { bot: Bot }) => {
  const cache = useQueryClient();
  const { rows } = useRows(LIST_KEY, readBots);
  const listed = rows.find(({ id }) => id === bot.id);
  const submit = async (form: FormData) => {
    const phoneNumberId = form.has('phoneNumberId')
      ? { phoneNumberId: textIn(form, 'phoneNumberId') ?? null }
      : {};
    const body = {
      ...phoneNumberId,
      name: textIn(form, 'name') ?? '',
      description: textIn(form, 'description') ?? null,
      trigger: form.get('trigger') as Trigger,
      triggerKeywords: keywordsIn(textIn(form, 'keywords') ?? ''),
      triggerMatchType: form.get('match') as Match,
    };
    await api.PATCH('/v1/bots/{botId}', { params: { path: { botId: bot.id } }, body });
    toast('The bot is changed');
    await cache.invalidateQueries({ queryKey: LIST_KEY });
  };
  return (
    <Ask label="Settings" title={`Settings of ${bot.name}`} action="Save" submit={submit}>
      <TextField
        label="Name"
        name="name"
        required
        minLength={2}
        maxLength={200}
        defaultValue={bot.name}
      />
      <TextArea
        label="Description"
        name="description"
        maxLength={2000}
        rows={2}
        defaultValue={bot.description ?? ''}
      />
      <SelectField label="Starts at" name="trigger" defaultValue={bot.trigger} options={triggers} />
      <TextField
        label="Keywords"
        name="keywords"
        defaultValue={bot.triggerKeywords.join(', ')}
        hint="With commas between; for a message with a keyword."
      />
      <SelectField
        label="A keyword counts"
        name="match"
        defaultValue={bot.triggerMatchType}
        options={matches}
      />
      {listed && <NumberField of={listed.phoneNumber?.phoneNumberId ?? null} />}
    </Ask>
  );
};

import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { textIn } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { filled, MessagePreview } from '../../ui/preview.tsx';
import { toast } from '../../ui/toast.tsx';

const PLACES_MAX = 20;
const PLACE = /\{\{\s*(\w+)\s*\}\}/g;

/** The names of the values in the text, each once, in its order. */
const namesIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(PLACE)].map(([, name = '']) => name))].slice(0, PLACES_MAX);

/** The text with the numbered places that WhatsApp takes. */
const numbered = (text: string): string => {
  const names = namesIn(text);
  return text.replace(PLACE, (_, name) => `{{${names.indexOf(name) + 1}}}`);
};

const sampleName = (name: string) => `sample ${name}`;

const componentsIn = (form: FormData) => {
  const text = textIn(form, 'body') ?? '';
  const header = textIn(form, 'header');
  const footer = textIn(form, 'footer');
  const samples = namesIn(text).map((name) => textIn(form, sampleName(name)) ?? '');
  return [
    ...(header ? [{ type: 'HEADER', format: 'TEXT', text: header }] : []),
    {
      type: 'BODY',
      text: numbered(text),
      ...(samples.length > 0 && { example: { body_text: [samples] } }),
    },
    ...(footer ? [{ type: 'FOOTER', text: footer }] : []),
  ];
};

const categories = [
  { value: 'UTILITY', label: 'Utility' },
  { value: 'MARKETING', label: 'Marketing' },
] as const;

/** Header, text, samples and footer, with the message beside them as it is typed. */
const Content = () => {
  const [header, setHeader] = useState('');
  const [text, setText] = useState('');
  const [footer, setFooter] = useState('');
  const [samples, setSamples] = useState<Readonly<Record<string, string>>>({});
  const names = namesIn(text);
  return (
    <>
      <TextField
        label="Header"
        name="header"
        maxLength={60}
        onChange={({ target }) => setHeader(target.value)}
      />
      <TextArea
        label="Text"
        name="body"
        required
        rows={4}
        maxLength={1024}
        hint="Values have names in double braces: Hi {{customerName}}, your order {{order}} is on its way."
        onChange={({ target }) => setText(target.value)}
      />
      {names.map((name) => (
        <TextField
          key={name}
          label={`Sample for ${name}`}
          name={sampleName(name)}
          required
          maxLength={200}
          onChange={({ target }) => setSamples((all) => ({ ...all, [name]: target.value }))}
        />
      ))}
      <TextField
        label="Footer"
        name="footer"
        maxLength={60}
        onChange={({ target }) => setFooter(target.value)}
      />
      <MessagePreview
        header={header}
        text={
          filled(
            numbered(text),
            names.map((name) => samples[name] ?? ''),
            names,
          ) || '…'
        }
        footer={footer}
      />
    </>
  );
};

/** Submits a template of the account's own. */
export const CreateTemplate = ({
  phoneNumberId,
  onDone,
}: {
  phoneNumberId: string;
  onDone: () => void;
}) => {
  const [isOpen, setOpen] = useState(false);
  const submit = async (form: FormData) => {
    const body = {
      phoneNumberId,
      name: textIn(form, 'name') ?? '',
      language: textIn(form, 'language') ?? 'en_US',
      category: form.get('category') as (typeof categories)[number]['value'],
      components: componentsIn(form),
    };
    const { name, status } = await bodyOf(api.POST('/v1/templates', { body }));
    toast(`${name} is ${status.toLowerCase()}`);
    onDone();
  };
  return (
    <>
      <Button tone="primary" onClick={() => setOpen(true)}>
        New template
      </Button>
      <FormDialog
        title="New template"
        action="Submit for approval"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={submit}
      >
        <TextField
          label="Name"
          name="name"
          required
          maxLength={512}
          pattern="[a-z0-9_]+"
          hint="Lower-case letters, digits and underscores."
        />
        <TextField label="Language" name="language" required defaultValue="en_US" maxLength={20} />
        <SelectField label="Category" name="category" options={categories} />
        <Content />
      </FormDialog>
    </>
  );
};

import { useId } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { EventField, EventVariables } from './event-field.tsx';
import { HoursField } from './hours-field.tsx';
import { JsonField } from './json-field.tsx';
import { ListField } from './list-field.tsx';
import {
  type Data,
  fieldsFor,
  type NodeField,
  onWay,
  valueIn,
  wayOf,
  withValue,
} from './node-fields.ts';
import { PairsField } from './pairs-field.tsx';
import { type FieldProblem, problemOf, problemsAt } from './problems.ts';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

interface FieldsProps {
  fields: readonly NodeField[];
  data: Data;
  /** `at` names the field. */
  change: (data: Data, at: string) => void;
  /** Where the data is in that of the node, such as `buttons.0.`. */
  place: string;
  problems: readonly FieldProblem[];
  /** What conditions may compare. */
  paths: readonly string[];
}

/** A text, with what may be meant. */
const Suggested = ({
  options,
  ...field
}: Parameters<typeof TextField>[0] & { options: readonly string[] }) => {
  const id = useId();
  return (
    <>
      <TextField {...field} list={id} autoComplete="off" />
      <datalist id={id}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
};

const numberIn = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/** A value that this form can show; undefined for what only JSON can. */
const plainOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? undefined : String(value);
};

const PlainView = ({
  field,
  value,
  set,
  ...common
}: {
  field: NodeField;
  value: unknown;
  set: (to: unknown) => void;
  label: string;
  name: string;
  hint?: string | undefined;
  problem: string | undefined;
  paths: readonly string[];
}) => {
  const { paths, ...named } = common;
  const text = plainOf(value);
  if (text === undefined) {
    return (
      <p className="small">
        {field.label}: <span className="muted">set as JSON below.</span>
      </p>
    );
  }
  const onChange = ({ target }: { target: { value: string } }) => set(target.value);
  const input = { ...named, value: text, onChange };
  switch (field.kind) {
    case 'area':
      return <TextArea {...input} rows={3} />;
    case 'path':
      return <Suggested {...input} options={paths} />;
    case 'zone':
      return <Suggested {...input} options={ZONES} />;
    case 'event':
      return <EventField {...named} value={text} set={set} />;
    case 'number': {
      const { min, max, step } = field;
      const onNumber = ({ target }: { target: { value: string } }) => set(numberIn(target.value));
      return (
        <TextField {...input} type="number" min={min} max={max} step={step} onChange={onNumber} />
      );
    }
    case 'select': {
      const all =
        field.options.includes(text) || text === '' ? field.options : [...field.options, text];
      const options = all.map((one) => ({ value: one, label: one.replaceAll('_', ' ') }));
      return <SelectField {...input} value={text || field.fallback} options={options} />;
    }
    default: {
      const placeholder = 'placeholder' in field ? field.placeholder : undefined;
      return <TextField {...input} placeholder={placeholder} autoComplete="off" />;
    }
  }
};

const FieldView = ({ field, ...props }: Omit<FieldsProps, 'fields'> & { field: NodeField }) => {
  const { data, change, place, problems, paths } = props;
  const { name, label, hint } = field;
  const at = place + name;
  const value = valueIn(data, name);
  const set = (to: unknown) => change(withValue(data, name, to), at);
  const problem = problemOf(problems, field, place)?.message;
  const common = { label, name: at, hint, problem };
  switch (field.kind) {
    case 'way':
      return (
        <Choice
          label={label}
          options={Object.entries(field.ways).map(([way, { words }]) => [way, words])}
          value={wayOf(data, field.ways)}
          choose={(way) => change(onWay(data, field.ways, way), at)}
        />
      );
    case 'check':
      return (
        <CheckField
          label={label}
          name={at}
          checked={value === true}
          onChange={({ target }) => set(target.checked)}
        />
      );
    case 'pairs':
      return name === 'variables' ? (
        <EventVariables {...common} event={data.event} value={value} change={set} />
      ) : (
        <PairsField {...common} value={value} names={[]} change={set} />
      );
    case 'hours':
      return <HoursField {...common} value={value} change={set} />;
    case 'json':
      return <JsonField {...common} value={value} change={set} />;
    case 'list':
      return (
        <ListField
          field={field}
          value={value}
          problem={problemsAt(problems, at)}
          problemOf={(index) => problemsAt(problems, `${at}.${index}`)}
          change={set}
        >
          {(item, index) => (
            <Fields
              fields={fieldsFor(field.fields, item)}
              data={item}
              change={(to, inner) => change(withItem(data, name, index, to), inner)}
              place={`${at}.${index}.`}
              problems={problems}
              paths={paths}
            />
          )}
        </ListField>
      );
    default:
      return <PlainView {...common} field={field} value={value} set={set} paths={paths} />;
  }
};

const withItem = (data: Data, name: string, index: number, to: Data): Data => {
  const items = valueIn(data, name) as readonly unknown[];
  return withValue(data, name, items.with(index, to));
};

/** Fields of a node, or of an item in it. */
export const Fields = ({ fields, ...props }: FieldsProps) =>
  fields.map((field) => <FieldView key={`${field.kind} ${field.name}`} field={field} {...props} />);

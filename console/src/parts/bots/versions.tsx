import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useScope } from '../../session/session.tsx';
import { Ask } from '../../ui/ask.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { Canvas } from './canvas.tsx';
import { DifferenceList } from './difference-list.tsx';
import { storedDifferences } from './differences.ts';
import { type BotDraft, useDraft } from './drafts.tsx';
import { type Bot, graphOf } from './graph.ts';

const read = async (botId: string, cursor: string | undefined, signal: AbortSignal) => {
  const params = { path: { botId }, query: { limit: 20, cursor } };
  const { versions, nextCursor } = await bodyOf(
    api.GET('/v1/bots/{botId}/versions', { params, signal }),
  );
  return { rows: versions, nextCursor };
};

type Version = Awaited<ReturnType<typeof read>>['rows'][number];

const columns: readonly Column<Version>[] = [
  { id: 'version', header: 'Version', cell: ({ version }) => `Version ${version}` },
  { id: 'at', header: 'Published', cell: ({ at }) => <Time at={at} /> },
  { id: 'name', header: 'Name', cell: ({ name }) => <Words text={name} /> },
  { id: 'nodes', header: 'Nodes', align: 'end', cell: ({ nodes }) => nodes.length },
];

const RollBack = ({ bot, version }: { bot: Bot; version: Version }) => {
  const { publishVersion } = useDraft(bot.id);
  return (
    <Ask
      label={`Roll back to version ${version.version}`}
      action="Roll back"
      submit={() => publishVersion(version.version)}
    >
      <p>
        Its graph and what starts it are published as a new version. Name, number and whether the
        bot is active stay. Your draft stays, too.
      </p>
      <DifferenceList differences={storedDifferences(bot, version)} />
    </Ask>
  );
};

/** A version beside the live one, the draft, or another version. */
const Comparison = ({
  bot,
  draft,
  version,
  others,
}: {
  bot: Bot;
  draft: BotDraft | null;
  version: Version;
  others: readonly Version[];
}) => {
  const mayWrite = useScope('bots:write');
  const [beside, choose] = useState('live');
  const other = others.find((one) => String(one.version) === beside);
  const after = other ?? (beside === 'draft' && draft ? draft : bot);
  const differences = storedDifferences(version, after);
  const options = [
    { value: 'live', label: 'what is live' },
    ...(draft ? [{ value: 'draft', label: 'the draft' }] : []),
    ...others
      .filter((one) => one !== version)
      .map((one) => ({ value: String(one.version), label: `version ${one.version}` })),
  ];
  const touched = differences.filter(({ kind }) => kind !== 'added').map(({ nodeId }) => nodeId);
  return (
    <Card
      title={`Version ${version.version}`}
      actions={mayWrite && <RollBack bot={bot} version={version} />}
    >
      <SelectField
        label="From it to"
        name="beside"
        value={beside}
        options={options}
        onChange={({ target }) => choose(target.value)}
      />
      <DifferenceList differences={differences} />
      <Canvas graph={graphOf(version)} path={touched} />
    </Card>
  );
};

/** What the bot was, how that differs, and the way back to it. */
export const Versions = ({ bot, draft }: { bot: Bot; draft: BotDraft | null }) => {
  const [chosen, choose] = useState<number>();
  const list = useRows(['versions', bot.id], (cursor, signal) => read(bot.id, cursor, signal));
  const version = list.rows.find((one) => one.version === chosen);
  return (
    <div className="stack">
      <p className="muted">Choose a version to see what changed since, and to go back to it.</p>
      <Table
        label="Versions"
        columns={columns}
        rowId={({ version: number }) => String(number)}
        onOpen={({ version: number }) => choose(number)}
        {...list}
      />
      {version && (
        <Comparison
          key={version.version}
          bot={bot}
          draft={draft}
          version={version}
          others={list.rows}
        />
      )}
    </div>
  );
};

import { Handle, type NodeProps, Position } from '@xyflow/react';
import { createContext, use } from 'react';
import { nodeTypes as known } from '../../generated/tables.ts';
import { Icon } from '../../ui/icon.tsx';
import { Words } from '../../ui/value.tsx';
import { outcomesOf, summaryOf } from './graph.ts';
import { iconOf } from './node-icons.ts';

/** What the canvas shows of nodes beside their data. */
export interface Marks {
  problems: ReadonlyMap<string, readonly string[]>;
  /** The nodes that a run, or a simulation, went through. */
  path: ReadonlySet<string>;
}

export const MarksContext = createContext<Marks>({ problems: new Map(), path: new Set() });

const NodeCard = ({ id, type, data, selected }: NodeProps) => {
  const { problems, path } = use(MarksContext);
  const own = problems.get(id) ?? [];
  const outcomes = outcomesOf(type, data);
  const classes = [
    'node',
    selected ? 'node-selected' : '',
    own.length > 0 ? 'node-bad' : '',
    path.has(id) ? 'node-lit' : '',
  ];
  return (
    <div className={classes.join(' ')}>
      <Handle type="target" position={Position.Top} />
      <div className="node-type">
        <Icon name={iconOf(type)} size={14} />
        {type.replaceAll('_', ' ')}
      </div>
      <div className="node-text">
        <Words text={summaryOf(data)} />
      </div>
      {own.map((problem) => (
        <div className="node-problem" key={problem}>
          {problem}
        </div>
      ))}
      <div className="node-outcomes">
        {outcomes.map((outcome) => (
          <div className="node-outcome" key={outcome}>
            {outcomes.length > 1 && <span>{outcome.replace(/^\w+:/, '')}</span>}
            <Handle type="source" position={Position.Bottom} id={outcome} />
          </div>
        ))}
      </div>
    </div>
  );
};

/** Every type of node looks alike but for its words. */
export const nodeTypes = Object.fromEntries(Object.keys(known).map((type) => [type, NodeCard]));

import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { type ReactNode, useEffect, useRef } from 'react';

/** Parts of one page, of which one is shown. */
export const Tabs = ({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly { id: string; title: string; content: ReactNode }[];
  selected: string;
  onSelect: (id: string) => void;
}) => {
  const list = useRef<HTMLDivElement>(null);
  // An address may name a part that there is not.
  const shown = tabs.some(({ id }) => id === selected) ? selected : tabs[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a narrow screen the list scrolls
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected="true"]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);
  return (
    <TabProvider selectedId={shown} setSelectedId={(id) => id && onSelect(id)}>
      <TabList ref={list} className="tabs" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} tabId={id} className="tab-panel" unmountOnHide>
          {content}
        </TabPanel>
      ))}
    </TabProvider>
  );
};

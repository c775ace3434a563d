import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import type { ReactNode } from 'react';

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
}) => (
  <TabProvider selectedId={selected} setSelectedId={(id) => id && onSelect(id)}>
    <TabList className="tabs" aria-label={label}>
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

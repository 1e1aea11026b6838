import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

export interface Tab<Id extends string> {
  id: Id;
  label: ReactNode;
  content: ReactNode;
}

/** Views of one thing. `value` belongs into the address, so that a link shows the same tab. Arrow keys move between tabs. */
export function Tabs<Id extends string>(props: { label: string; tabs: readonly Tab<Id>[]; value: Id; onChange: (id: Id) => void }) {
  const { label, tabs, value, onChange } = props;
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as Id)}>
      <Base.List aria-label={label} activateOnFocus className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.id}
            value={tab.id}
            className="target -mb-px border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-text data-active:border-accent data-active:text-accent"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} className="pt-4 outline-offset-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

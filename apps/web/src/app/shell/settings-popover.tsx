import type { UnitSystem } from '@nwms/domain/units';
import { Monitor, Moon, SlidersHorizontal, Sun } from 'lucide-react';
import { useState } from 'react';
import { useServices, useTheme } from '../../api/services.ts';
import { useUnitStore, useUnits } from '../../api/use-units.ts';
import type { ThemeChoice } from '../../lib/theme.ts';
import { Choice, Choices } from '../../ui/choices.tsx';
import { Popover } from '../../ui/popover.tsx';

const UNITS: readonly { value: UnitSystem; label: string; note: string }[] = [
  { value: 'metric', label: 'Metric', note: '°C, km/h, mm' },
  { value: 'imperial', label: 'Imperial', note: '°F, mph, in' },
];
const THEMES: readonly { value: ThemeChoice; label: string; Icon: typeof Sun }[] = [
  { value: 'system', label: 'Device', Icon: Monitor },
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
];

/** SHELL-06: units and theme, both kept on this device. */
export function SettingsPopover() {
  const [open, setOpen] = useState(false);
  const { theme: themes } = useServices();
  const units = useUnitStore();
  const { system } = useUnits();
  const { choice } = useTheme();
  return (
    <Popover label="Settings" open={open} onOpenChange={setOpen} trigger={<SlidersHorizontal size={18} aria-hidden="true" />}>
      <Choices legend="Unit System">
        {UNITS.map(({ value, label, note }) => (
          <Choice
            key={value}
            name="unit-system"
            checked={system === value}
            onChoose={() => units.choose(value)}
            label={label}
            note={note}
          />
        ))}
      </Choices>
      <p className="pt-2 text-[13px] text-muted">Your preference is saved on this device.</p>
      <div aria-hidden="true" className="my-3 border-t border-line" />
      <Choices legend="Theme" columns={3}>
        {THEMES.map(({ value, label, Icon }) => (
          <Choice
            key={value}
            name="theme"
            checked={choice === value}
            onChoose={() => themes.choose(value)}
            label={label}
            icon={<Icon size={15} aria-hidden="true" />}
          />
        ))}
      </Choices>
    </Popover>
  );
}

import { RotateCcw } from 'lucide-react';
import { Switch } from '../../ui/check.tsx';
import { NumberField, TextAreaField, TextField } from '../../ui/field.tsx';
import { EFFECT_LABELS, SETTING_DEFAULTS, type SettingField } from './setting-fields.ts';
import { type Bounds, boundsText, typed, wordsOf } from './settings-draft.ts';

export interface SettingRowProps {
  field: SettingField;
  value: string | boolean;
  saved: string | boolean;
  bounds: Bounds[string] | undefined;
  effect: string | undefined;
  waitsForRestart: boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
}

/** One setting: its control, and beside it what is allowed, when a change takes hold and the way back to the default. */
export function SettingRow(props: SettingRowProps) {
  const { field, value, saved, onChange } = props;
  const standard = typed(SETTING_DEFAULTS[field.path]);
  const allowed = boundsText(props.bounds, field.kind);
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-2 border-t border-line px-4 py-4 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_13.5rem]">
      <div className="min-w-0">
        <Control {...props} />
        {field.kind === 'switch' && props.error ? (
          <p role="alert" className="pt-1 text-[13px] font-medium text-bad">
            {props.error}
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap content-start items-center gap-x-3 gap-y-0.5 text-[13px] text-muted sm:flex-col sm:items-start">
        {allowed ? <p className="tnum">Allowed: {allowed}</p> : null}
        {props.effect ? <p>{EFFECT_LABELS[props.effect] ?? props.effect}</p> : null}
        {props.waitsForRestart ? <p className="font-medium text-warn">Saved; waits for a restart</p> : null}
        <p className="tnum">Default: {wordsOf(field, standard)}</p>
        {value === saved ? null : <p className="font-medium text-accent">Changed; was {wordsOf(field, saved)}</p>}
        {value === standard ? null : (
          <button
            type="button"
            aria-label={`Reset ${field.label} to the default`}
            onClick={() => onChange(standard)}
            className="-ml-2 inline-flex min-h-8 items-center gap-1.5 rounded-lg px-2 font-medium text-accent hover:bg-hover pointer-coarse:min-h-11"
          >
            <RotateCcw size={14} aria-hidden="true" /> Reset to default
          </button>
        )}
      </div>
    </div>
  );
}

function Control({ field, value, error, onChange }: SettingRowProps) {
  const shared = { name: field.path, label: field.label, hint: field.hint, error };
  if (typeof value === 'boolean') return <Switch label={field.label} hint={field.hint} checked={value} onChange={onChange} />;
  if (field.kind === 'lines') {
    return <TextAreaField {...shared} value={value} onChange={onChange} rows={4} spellCheck={false} placeholder="One per line" />;
  }
  if (field.kind === 'integer' || field.kind === 'number') {
    return (
      <NumberField
        {...shared}
        value={value}
        onChange={onChange}
        inputMode={field.kind === 'number' ? 'decimal' : 'numeric'}
        {...(field.unit ? { unit: field.unit } : {})}
      />
    );
  }
  return (
    <TextField
      {...shared}
      value={value}
      onChange={onChange}
      type={field.kind === 'url' ? 'url' : 'email'}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Settings } from '@nwms/contract';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ApiError, sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorCard, ForbiddenState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ChannelTests } from './channel-tests.tsx';
import { ImportantNotes } from './important-notes.tsx';
import { MeanwhileNote } from './meanwhile-note.tsx';
import { settingsOf } from './queries.ts';
import { SaveOutcome } from './save-outcome.tsx';
import { SETTING_SECTIONS, SETTING_TABS, type SettingTab, TAB_LABELS, tabOf } from './setting-fields.ts';
import { SettingRow } from './setting-row.tsx';
import { type SettingsForm, useSettingsForm } from './use-settings-form.ts';

/** SETT-01 to SETT-06: the settings of this installation. */
export default function SettingsPage() {
  const services = useServices();
  const settings = useQuery(settingsOf(services));
  if (settings.data) return <Editor loaded={settings.data} />;
  const refused = settings.error instanceof ApiError && settings.error.status === 403;
  return (
    <Page>
      {settings.isPending ? (
        <div className="card p-6">
          <Skeleton label="Loading settings" rows={8} />
        </div>
      ) : null}
      {refused ? (
        <div className="card">
          <ForbiddenState />
        </div>
      ) : null}
      {settings.error && !refused ? (
        <ErrorCard
          message={sentenceOf(settings.error)}
          requestId={settings.error instanceof ApiError ? settings.error.requestId : null}
          onRetry={() => void settings.refetch()}
          busy={settings.isFetching}
        />
      ) : null}
    </Page>
  );
}

function useTab(): [SettingTab, (tab: SettingTab) => void] {
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false }) as { tab?: unknown };
  const known = SETTING_TABS.find((name) => name === tab) ?? 'system';
  const go = (next: SettingTab) =>
    void navigate({
      to: '.',
      search: (old: object) => ({ ...old, tab: next === 'system' ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  return [known, go];
}

function Editor({ loaded }: { loaded: Settings }) {
  const form = useSettingsForm(loaded);
  const [tab, setTab] = useTab();
  const page = useRef<HTMLFormElement>(null);
  const wanted = useRef<string | null>(null);
  const dirty = form.changed.length > 0;
  // Leaving for another screen is asked about; another tab of this one is not leaving.
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    withResolver: true,
  });
  const lead = (path: string) => {
    wanted.current = path;
    setTab(tabOf(path));
  };
  // After the tab of the refused setting is there: to its field.
  useEffect(() => {
    if (wanted.current === null) return;
    const control = page.current?.querySelector<HTMLElement>(`[name="${wanted.current}"]`);
    if (!control) return;
    wanted.current = null;
    control.focus();
  });
  // What came of a save stands above the tabs; a refused field has the focus and must not be scrolled away.
  const { result, meanwhile, faults } = form;
  useEffect(() => {
    if (result !== null && faults.size === 0) window.scrollTo({ top: 0 });
  }, [result, faults]);
  useEffect(() => {
    if (meanwhile.length > 0) window.scrollTo({ top: 0 });
  }, [meanwhile]);
  const tabs = SETTING_TABS.map((id) => ({ id, label: <TabLabel id={id} form={form} />, content: <Sections tab={id} form={form} /> }));
  return (
    <Page>
      <form
        ref={page}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.save(lead);
        }}
        className="flex flex-col gap-4"
      >
        <div className="sticky top-(--bar-height) z-10 -mx-4 -mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-transparent bg-bg px-4 py-3 sm:-mx-6 sm:px-6">
          <LastSaved settings={form.settings} />
          <div className="flex flex-wrap items-center gap-2">
            {dirty ? (
              <p className="tnum pr-1 text-[13px] font-medium text-accent">
                {form.changed.length === 1 ? 'One unsaved change' : `${form.changed.length} unsaved changes`}
              </p>
            ) : null}
            <Button onClick={form.discard} disabled={!dirty || form.saving}>
              Discard
            </Button>
            <Button type="submit" kind="primary" disabled={!dirty || form.saving}>
              <Save size={15} aria-hidden="true" /> {form.saving ? 'Saving...' : 'Save Settings'}
            </Button>
          </div>
        </div>
        <SaveOutcome result={form.result} />
        {form.meanwhile.length > 0 ? <MeanwhileNote changes={form.meanwhile} by={form.settings.updated_by} /> : null}
        <div className="grid grid-cols-1 items-start gap-4 pane:grid-cols-[minmax(0,1fr)_22rem]">
          <Tabs label="Settings" tabs={tabs} value={tab} onChange={setTab} />
          <ImportantNotes waiting={form.settings.pending_restart.length} />
        </div>
      </form>
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        title="Leave without saving?"
        confirm="Leave"
        danger
        onConfirm={() => blocker.proceed?.()}
        onCancel={() => blocker.reset?.()}
      >
        {form.changed.length === 1 ? 'One change has' : `${form.changed.length} changes have`} not been saved and would be lost.
      </ConfirmDialog>
    </Page>
  );
}

/** Which tabs hold something unsaved or refused. */
function TabLabel({ id, form }: { id: SettingTab; form: SettingsForm }) {
  const changed = form.changed.some((path) => tabOf(path) === id);
  const refused = [...form.faults.keys()].some((path) => tabOf(path) === id);
  return (
    <span className="inline-flex items-center gap-1.5">
      {TAB_LABELS[id]}
      {changed || refused ? <span aria-hidden="true" className={`size-1.5 rounded-full ${refused ? 'bg-bad' : 'bg-accent'}`} /> : null}
      {refused ? <span className="sr-only">, needs attention</span> : null}
      {changed && !refused ? <span className="sr-only">, changed</span> : null}
    </span>
  );
}

function Sections({ tab, form }: { tab: SettingTab; form: SettingsForm }) {
  const { settings } = form;
  return (
    <div className="flex flex-col gap-4">
      {SETTING_SECTIONS[tab].map((section) => (
        <section key={section.title} aria-label={section.title} className="card min-w-0">
          <div className="border-b border-line px-4 py-3">
            <h2 className="text-base font-semibold">{section.title}</h2>
            <p className="text-[13px] text-muted">{section.text}</p>
          </div>
          {section.fields.map((field) => (
            <SettingRow
              key={field.path}
              field={field}
              value={form.draft[field.path] ?? ''}
              saved={form.base[field.path] ?? ''}
              bounds={settings.bounds[field.path]}
              effect={settings.effect[field.path]}
              waitsForRestart={settings.pending_restart.includes(field.path)}
              error={form.faults.get(field.path)}
              onChange={(value) => form.set(field.path, value)}
            />
          ))}
          {section.channels ? (
            <ChannelTests channels={section.channels} unsaved={section.fields.some(({ path }) => form.changed.includes(path))} />
          ) : null}
        </section>
      ))}
    </div>
  );
}

function LastSaved({ settings }: { settings: Settings }) {
  const { labels } = useServices();
  if (settings.updated_at === null) return <p className="text-[13px] text-muted">Never changed: these are the defaults.</p>;
  const atMs = Date.parse(settings.updated_at);
  return (
    <p className="tnum text-[13px] text-muted">
      Last saved{settings.updated_by ? ` by ${settings.updated_by}` : ''},{' '}
      <time dateTime={settings.updated_at} title={labels.full(atMs, labels.viewerZone)}>
        {settings.updated_at.slice(0, 10)} {labels.utcClock(atMs)}
      </time>
    </p>
  );
}

import { RealTimeFeed } from '../../features/live/real-time-feed.tsx';
import { AlertTimeline } from '../../features/playback/alert-timeline.tsx';
import { Page } from '../../ui/page.tsx';
import { InstallCard } from './advanced/install-card.tsx';
import { PushCard } from './advanced/push-card.tsx';
import { WhatsNew } from './advanced/whats-new.tsx';

/** TIME-01: the live feed, the push settings, the timeline, what is new, and how to install. */
export function AdvancedFeatures() {
  return (
    <Page>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 pane:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
        <RealTimeFeed />
        <div className="flex min-w-0 flex-col gap-4">
          <WhatsNew />
          <PushCard />
        </div>
      </div>
      <AlertTimeline />
      <InstallCard />
    </Page>
  );
}

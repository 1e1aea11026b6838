import { Dialog } from '@base-ui/react/dialog';
import { Menu, X } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../../api/session.ts';
import { PlaceMenu } from './place-menu.tsx';
import { Standing } from './sidebar.tsx';
import { AccountLinks, Person } from './user-menu.tsx';

/** The sidebar and the account on phones: a slide-over from the left (SHELL-07). */
export function MobileMenu() {
  const [open, setOpen] = useState(false);
  const user = useUser();
  const close = () => setOpen(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label="Menu"
        className="-ml-2 inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-hover md:hidden"
      >
        <Menu size={20} aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/45 transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col border-r border-line-strong bg-surface shadow-pop transition-transform duration-200 outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <div className="flex shrink-0 items-center justify-between py-2 pr-2 pl-5">
            <Dialog.Title className="text-base font-bold">NWMS</Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="inline-flex size-11 items-center justify-center rounded-lg text-muted hover:bg-hover"
            >
              <X size={18} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <nav aria-label="Main" className="min-h-0 grow overflow-y-auto px-3 pb-3">
            <PlaceMenu onGo={close} />
          </nav>
          {user ? (
            <div className="shrink-0 border-t border-line px-3 pt-3 pb-2">
              <Person user={user} />
              <AccountLinks onGo={close} />
            </div>
          ) : null}
          <Standing />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

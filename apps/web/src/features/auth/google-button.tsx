import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTheme } from '../../api/services.ts';
import type { Theme } from '../../lib/theme.ts';
import { Button } from '../../ui/button.tsx';
import { hasSignInPolicy, loadGoogle } from './google-script.ts';
import { GoogleBroken } from './sign-in-words.ts';
import { keepWayBack } from './way-back.ts';

interface GoogleButtonProps {
  clientId: string;
  nonce: string;
  onCredential: (token: string) => void;
  onBroken: (error: unknown) => void;
}

/** Google's own button: opens its popup, chooses nobody by itself (AUTH-03). Where its script cannot be had, a way to try again. */
export function GoogleButton(props: GoogleButtonProps) {
  const [attempt, setAttempt] = useState(0);
  const { theme } = useTheme();
  // Its look and its nonce are fixed once it is drawn: another one begins anew.
  return <Drawn key={`${attempt} ${theme} ${props.nonce}`} {...props} theme={theme} onAgain={() => setAttempt(attempt + 1)} />;
}

function Drawn({ clientId, nonce, theme, onCredential, onBroken, onAgain }: GoogleButtonProps & { theme: Theme; onAgain: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'broken'>('loading');
  const { from } = useLocation().state;
  const told = useRef({ onCredential, onBroken });
  useEffect(() => {
    told.current = { onCredential, onBroken };
  });
  useEffect(() => {
    if (!hasSignInPolicy(window)) {
      // The policy that lets Google's script run comes with this page's own document only.
      keepWayBack(() => window.sessionStorage, from);
      window.location.reload();
      return undefined;
    }
    let gone = false;
    const show = async () => {
      const identity = await loadGoogle(window);
      if (gone || !place.current) return;
      identity.initialize({
        client_id: clientId,
        nonce,
        ux_mode: 'popup',
        auto_select: false,
        callback: ({ credential }) => (credential ? told.current.onCredential(credential) : told.current.onBroken(new GoogleBroken())),
      });
      place.current.replaceChildren();
      const look = { theme: theme === 'dark' ? 'filled_black' : 'outline', size: 'large', shape: 'rectangular', width: 320 };
      identity.renderButton(place.current, { ...look, text: 'signin_with', locale: 'en' });
      setState('ready');
    };
    show().catch((error: unknown) => {
      if (gone) return;
      setState('broken');
      told.current.onBroken(error);
    });
    return () => {
      gone = true;
    };
  }, [clientId, nonce, theme, from]);
  return (
    <div className="flex flex-col items-center gap-3">
      {state === 'loading' ? <output className="skeleton block h-10 w-80 max-w-full" aria-label="Google sign-in is being loaded" /> : null}
      <div ref={place} className={state === 'ready' ? 'min-h-10' : 'hidden'} />
      {state === 'broken' ? (
        <Button className="w-full" onClick={onAgain}>
          Load Google sign-in again
        </Button>
      ) : null}
    </div>
  );
}

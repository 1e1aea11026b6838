import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../../api/services.ts';
import { PlaceCard } from './place-card.tsx';
import { PlaceFinder } from './place-search.tsx';
import { placeQuery } from './place-queries.ts';
import { readPlace } from './place-address.ts';

export interface PlacePanelProps {
  /** `place` of the address. */
  address: string | undefined;
  onPlace: (address: string | undefined) => void;
  onSelect: (eventId: string) => void;
}

/** Above a map: find a place, and what holds at the one that was found. */
export function PlacePanel({ address, onPlace, onSelect }: PlacePanelProps) {
  const { api } = useServices();
  const place = useQuery(placeQuery(api, address));
  const clear = () => onPlace(undefined);
  return (
    <>
      <PlaceFinder onPlace={onPlace} />
      {place.data ? (
        <PlaceCard key={address} place={place.data} onSelect={onSelect} onClear={clear} />
      ) : readPlace(address) && (place.isError || place.data === null) ? (
        <p className="flex items-center gap-2 border-b border-line px-3 py-2 text-[13px] text-bad">
          <span className="grow">The place of this address {place.isError ? 'could not be looked up.' : 'is not known here.'}</span>
          {place.isError ? (
            <button type="button" className="target px-2 font-medium text-accent underline" onClick={() => void place.refetch()}>
              Retry
            </button>
          ) : null}
          <button type="button" className="target px-2 font-medium text-accent underline" onClick={clear}>
            Forget it
          </button>
        </p>
      ) : null}
    </>
  );
}

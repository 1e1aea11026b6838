import { typeOfVtec } from '@nwms/domain/alert/types';
import type { AlertDetail } from '@nwms/contract';

type Vtec = AlertDetail['vtec'][number];

/** NWS Directive 10-1703, what the message does to the event. */
const ACTIONS: Record<string, string> = {
  NEW: 'new',
  CON: 'continued',
  EXT: 'extended in time',
  EXA: 'extended in area',
  EXB: 'extended in time and area',
  UPG: 'upgraded to something worse',
  CAN: 'cancelled',
  EXP: 'expires at its planned end',
  COR: 'corrected',
  ROU: 'routine',
};

const SIGNIFICANCES: Record<string, string> = {
  W: 'warning',
  A: 'watch',
  Y: 'advisory',
  S: 'statement',
  F: 'forecast',
  O: 'outlook',
  N: 'synopsis',
};

const CLASSES: Record<string, string> = { O: '', T: 'test product, ', E: 'experimental product, ', X: 'experimental code, ' };

/** "Flood Warning no. 12 of KDMX: continued". Codes that are not in the registry stay codes. */
export function vtecSentence(vtec: Vtec): string {
  const kind =
    typeOfVtec(vtec.phenomenon, vtec.significance)?.event ?? `${vtec.phenomenon} ${SIGNIFICANCES[vtec.significance] ?? vtec.significance}`;
  return `${kind} no. ${vtec.etn} of ${vtec.office}: ${CLASSES[vtec.class] ?? ''}${ACTIONS[vtec.action] ?? vtec.action}`;
}

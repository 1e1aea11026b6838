/** The signed-in person as the server tells it. */
export type { User } from '@nwms/contract';

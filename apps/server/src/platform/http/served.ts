import type { ErrorCode } from '@nwms/contract';

declare module 'fastify' {
  interface FastifyRequest {
    /** Alert objects in the answer's body. */
    alertsServed: number;
    /** Stable code of the error answered; null where none was. */
    errorCode: ErrorCode | null;
    /** Bytes its connection had written before this request. */
    bytesBefore: number;
    /** Streams are counted when they open, and not again when they end. */
    isStream: boolean;
  }
}

import type pg from 'pg';

type Row = readonly (string | number | null)[];
/** What the client's own connection offers for COPY; it has no public face for it. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
  stream: { writableNeedDrain: boolean; once(event: 'drain', run: () => void): void };
}

/** `COPY ... FROM STDIN` in text form, lines made by `lineOf`, many at a time, with as much in flight as the socket takes: a million rows in the time of a file. */
export function copyIn(client: pg.Client, text: string, lines: Iterable<string>): Promise<void> {
  return new Promise((done, failed) => {
    let fault: Error | null = null;
    const send = async (connection: CopyConnection) => {
      for (const some of lines) {
        connection.sendCopyFromChunk(Buffer.from(some));
        if (connection.stream.writableNeedDrain) await new Promise<void>((drained) => connection.stream.once('drain', drained));
        // Whatever else goes on meanwhile gets its turn.
        else await new Promise<void>((turn) => setImmediate(turn));
      }
      connection.endCopyFrom();
    };
    client.query({
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse(connection: CopyConnection) {
        send(connection).catch((error: unknown) => {
          fault = error instanceof Error ? error : new Error(String(error));
          connection.sendCopyFail('the rows could not be made');
        });
      },
      handleError(error: Error) {
        failed(fault ?? error);
      },
      handleCommandComplete() {},
      handleReadyForQuery() {
        if (fault) failed(fault);
        else done();
      },
    } as never);
  });
}

/** One row, ended. */
export const lineOf = (row: Row): string => `${row.map(textOf).join('\t')}\n`;

function textOf(value: Row[number]): string | number {
  if (value === null) return String.raw`\N`;
  return typeof value === 'number' ? value : escaped(value);
}

/** Backslash and the three separators of COPY's text form. */
function escaped(value: string): string {
  if (!/[\\\t\n\r]/.test(value)) return value;
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);
}

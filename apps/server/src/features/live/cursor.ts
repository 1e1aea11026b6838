/** "I have everything up to here": `{epoch}:{seq}`, the same text in REST, WebSocket, SSE and webhooks. */
export interface Cursor {
  epoch: string;
  seq: number;
}

export const cursorText = (epoch: string, seq: number): string => `${epoch}:${seq}`;

/** Null when the text is no cursor at all. */
export function parseCursor(text: string): Cursor | null {
  const match = /^([A-Za-z0-9]{1,32}):(0|[1-9]\d{0,15})$/.exec(text);
  const seq = Number(match?.[2]);
  return match?.[1] && Number.isSafeInteger(seq) ? { epoch: match[1], seq } : null;
}

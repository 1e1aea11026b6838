/**
 * Whether this device can draw a map at all. Known before there is one, so that room is made for what will stand there. The context that
 * was made to find out is given back at once: a page may have but a few.
 */
export function canDrawMap(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}

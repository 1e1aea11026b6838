/** An element as read; `text` is its own text without that of its children. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string) =>
  text.replaceAll(/&(#x[\da-f]+|#\d+|\w+);|&/gi, (whole, name: string | undefined) => {
    if (name === undefined) throw new Error(`a bare & in ${JSON.stringify(text.slice(0, 80))}`);
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.replace(/^#/, '').replace(/^x/i, '0x')));
    const found = ENTITIES[name];
    if (found === undefined) throw new Error(`unknown entity ${whole}`);
    return found;
  });

/** Reads XML as the product writes it: elements, attributes, text. Throws on anything that is not well-formed. */
export function readXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open: XmlElement[] = [root];
  const body = xml.replace(/^<\?xml [^?]*\?>\s*/, '');
  let at = 0;
  for (const tag of body.matchAll(/<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/g)) {
    const parent = open.at(-1) ?? root;
    const text = body.slice(at, tag.index);
    if (text.includes('<') || text.includes(']]>')) throw new Error(`not well-formed: ${text.slice(0, 80)}`);
    parent.text += decoded(text);
    at = tag.index + tag[0].length;
    const [, closing, name = '', attributes = '', empty] = tag;
    if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    const element: XmlElement = { name, attributes: {}, children: [], text: '' };
    // Name, value, name, value: quotes stand nowhere else.
    const parts = attributes.split('"');
    for (let i = 0; i + 1 < parts.length; i += 2)
      element.attributes[(parts[i] ?? '').replace('=', '').trim()] = decoded(parts[i + 1] ?? '');
    parent.children.push(element);
    if (!empty) open.push(element);
  }
  const [only] = root.children;
  if (open.length !== 1 || root.children.length !== 1 || !only || body.slice(at).trim() !== '') throw new Error('not one whole element');
  return only;
}

/** Characters XML 1.0 cannot hold at all, not even escaped: most controls, lone surrogates, U+FFFE and U+FFFF. Upstream text has had them. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Text content or attribute value. */
export function xmlText(text: string): string {
  return (
    text
      .replaceAll(NOT_XML, '\uFFFD')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // A bare CR would be read back as LF.
      .replaceAll('\r', '&#13;')
  );
}

/** `<name>value</name>`; nothing for null, undefined and empty text. */
export function element(name: string, value: string | number | null | undefined): string {
  return value === null || value === undefined || value === '' ? '' : `<${name}>${xmlText(String(value))}</${name}>`;
}

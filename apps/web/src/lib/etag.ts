/** The strong ETag of an object that is edited whole: `"v7"`. */
export const etagOf = (object: { version: number }): string => `"v${object.version}"`;

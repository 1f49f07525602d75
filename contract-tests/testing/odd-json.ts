/** Names that every object inherits, and others that runtimes look for in values. */
export const ODD_NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'toJSON', 'then', 'length'];

/** An object with all of them as members: it converts to neither text nor number. */
export const ODD_OBJECT: unknown = JSON.parse(`{${ODD_NAMES.map((name) => `"${name}":{"a":1}`)}}`);

import { keyNames } from './keys.ts';

document.body.append(
  ...(await keyNames()).map((name) => Object.assign(document.createElement('p'), { textContent: name })),
);

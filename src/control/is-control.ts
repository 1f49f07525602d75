import { splitSandbox } from '../core/world/worlds.ts';

/** Path of the control plane, below each world's prefix. */
const controlPath = /^\/_mock(?=[/?]|$)/;

/** Path of the dashboard, of the API's docs, or of a file of theirs. */
const pagePath = /^\/_mock\/?(?:$|\?|docs(?=[/?]|$)|assets\/|swagger-ui\/)/;

/** Whether a URL addresses a page of any world, or a file of one. */
export const isPage = (url: string): boolean => pagePath.test(splitSandbox(url).url);

/** Whether a URL addresses the control plane of any world. */
export const isControl = (url: string): boolean => controlPath.test(splitSandbox(url).url);

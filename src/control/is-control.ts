import { splitSandbox } from '../core/world/worlds.ts';

/** Path of the control plane, below each world's prefix. */
const controlPath = /^\/_mock(?=[/?]|$)/;

/** Path of the dashboard, of the API's docs, of a file of theirs, or of what tells how the process is. */
const pagePath = /^\/_mock\/?(?:$|\?|(?:docs|health|metrics)(?=[/?]|$)|assets\/|swagger-ui\/)/;

/** Whether a URL addresses a page of any world, a file of one, or a probe. */
export const isPageOrProbe = (url: string): boolean => pagePath.test(splitSandbox(url).url);

/** Whether a URL addresses the control plane of any world. */
export const isControl = (url: string): boolean => controlPath.test(splitSandbox(url).url);

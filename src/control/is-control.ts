import { splitSandbox } from '../core/world/worlds.ts';

const controlPath = /^\/_mock(?=[/?]|$)/;

/** Path of the dashboard, the API's docs, one of their files, or a probe. */
const pagePath = /^\/_mock\/?(?:$|\?|(?:docs|health|metrics)(?=[/?]|$)|assets\/|swagger-ui\/)/;

/** Whether a URL addresses a page of any world, a file of one, or a probe. */
export const isPageOrProbe = (url: string): boolean => pagePath.test(splitSandbox(url).url);

/** Whether a URL addresses the control plane of any world. */
export const isControl = (url: string): boolean => controlPath.test(splitSandbox(url).url);

import { splitSandbox } from '../core/world/worlds.ts';

const controlPath = /^\/_mock(?=[/?]|$)/;

/** Path of the dashboard, the API's docs, or one of their files. */
const pagePath = /^\/_mock\/?(?:$|\?|docs(?=[/?]|$)|assets\/|swagger-ui\/)/;
/** Path of what is about the process: it needs no world, and must work while the store is away. */
const probePath = /^\/_mock\/(?:health\/(?:live|ready)|metrics)(?:\?|$)/;

/** Whether a URL addresses a page of any world, or a file of one. */
export const isPage = (url: string): boolean => pagePath.test(splitSandbox(url).url);

/** Whether a URL addresses health or metrics of the process. */
export const isProbe = (url: string): boolean => probePath.test(url);

/** Whether a URL addresses the control plane of any world. */
export const isControl = (url: string): boolean => controlPath.test(splitSandbox(url).url);

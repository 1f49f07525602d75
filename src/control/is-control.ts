import { splitSandbox } from '../core/world/worlds.ts';

/** Path of the control plane, below each world's prefix. */
const controlPath = /^\/_mock(?=[/?]|$)/;

/** Whether a URL addresses the control plane of any world. */
export const isControl = (url: string): boolean => controlPath.test(splitSandbox(url).url);

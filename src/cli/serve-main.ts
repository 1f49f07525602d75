// `serve` alone: what build.js bundles, since it has to start at once.
import { runProcess } from './command-line.ts';
import { registerServe } from './serve.ts';

// Not awaited: in a bundle, what it loads may stand in this very module.
void runProcess([registerServe]);

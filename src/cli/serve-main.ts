// `serve` alone, bundled by build.js for a fast start.
import { runProcess } from './command-line.ts';
import { registerServe } from './serve.ts';

// Not awaited: in a bundle, the imported module may be this one.
void runProcess([registerServe]);

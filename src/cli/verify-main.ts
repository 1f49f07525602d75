// `verify` alone, bundled by build.js: finding and linking its modules took longer than most of its checks.
import { runProcess } from './command-line.ts';
import { registerVerify } from './verify.ts';

// Not awaited: in a bundle, the imported module may be this one.
void runProcess([registerVerify]);

// `verify` alone: what build.js bundles, since finding and linking its modules took longer than most of its checks.
import { runProcess } from './command-line.ts';
import { registerVerify } from './verify.ts';

// Not awaited: in a bundle, what it loads may stand in this very module.
void runProcess([registerVerify]);

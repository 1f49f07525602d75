#!/usr/bin/env node
import { couldNotRun, runCommandLine } from './command-line.ts';
import { tellBug } from './crash.ts';

// What nobody awaits ends the process as any other bug does.
process.on('uncaughtException', (error) => {
  tellBug(error);
  process.exit(couldNotRun);
});
await runCommandLine(process.argv.slice(2));

#!/usr/bin/env node
import { runProcess } from './command-line.ts';
import { commands } from './commands.ts';

await runProcess(commands);

import { contentStyles } from './content.ts';
import { deploymentStyles } from './deployment.ts';
import { policyStyles } from './policy.ts';
import type { StyleRow } from './row.ts';

export const styleRows: readonly StyleRow[] = [...deploymentStyles, ...policyStyles, ...contentStyles];

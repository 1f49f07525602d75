import { answerStyles } from './answers.ts';
import { deploymentStyles } from './deployment.ts';
import { policyStyles } from './policy.ts';
import { signInStyles } from './sign-in.ts';
import type { Style } from './style.ts';

export const styles: readonly Style[] = [...deploymentStyles, ...answerStyles, ...policyStyles, ...signInStyles];

// @vitest-environment node
import { testEveryDoor } from './every-door.ts';

await testEveryDoor();

// @vitest-environment jsdom
import { testEveryDoor } from './every-door.ts';

await testEveryDoor();

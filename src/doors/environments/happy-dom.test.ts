// @vitest-environment happy-dom
import { testEveryDoor } from './every-door.ts';

await testEveryDoor();

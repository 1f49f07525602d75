import { kindOf, shapeDifferences, shapeOf } from '../compare/shape.ts';
import { likenessCases } from './cases.ts';
import type { Side, SideAnswer } from './side.ts';

/** A case, and what tells the two servers apart in it: nothing where they are alike. */
export interface Likeness {
  id: string;
  differences: string[];
}

/**
 * Sends the same to a deployment (A) and to the mock that serves what was learned of it (B), and compares status, media
 * type and shape of each answer; ids and values do not count.
 */
export async function likenessOf(deployment: Side, mock: Side): Promise<Likeness[]> {
  await deployment.prepare();
  await mock.prepare();
  const results: Likeness[] = [];
  for (const { id, send } of likenessCases(deployment.target.actors.admin.login ?? { email: '@', password: '' }))
    results.push({ id, differences: differencesOf(await send(deployment), await send(mock)) });
  return results;
}

function differencesOf(a: SideAnswer, b: SideAnswer): string[] {
  const [here, there] = [kindOf(a), kindOf(b)];
  if (here !== there) return [`${here} ${a.body.slice(0, 120)} at A, ${there} ${b.body.slice(0, 120)} at B`];
  const [left, right] = [shapeOf(a.body), shapeOf(b.body)];
  if (left && right) return shapeDifferences(left, right);
  return (a.body === '') === (b.body === '') && left === right ? [] : [`${a.body} at A, ${b.body} at B`];
}

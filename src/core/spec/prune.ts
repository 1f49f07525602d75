import { memberOf } from '../../../contract-tests/values/json.ts';
import { type Json, type JsonObject, mapMembers, objectsIn } from './json.ts';

/** Removes unreferenced components but `kept` ones: unknown paths and methods answer with `responses.Error`. */
export function pruneComponents(document: JsonObject, kept: readonly string[] = ['#/components/responses/Error']) {
  const components = document.components as Record<string, JsonObject>;
  const used = new Set<string>();
  const visit = (element: Json): void => {
    for (const reference of referencesIn(element)) {
      if (used.has(reference)) continue;
      used.add(reference);
      const [, , kind = '', name = ''] = reference.split('/');
      const target = memberOf(memberOf(components, kind), name);
      if (target === undefined) throw new Error(`spec/openapi.yaml refers to ${reference}, which does not exist`);
      visit(target);
    }
  };
  visit(document.paths ?? null);
  for (const reference of kept) visit({ $ref: reference });

  const left = mapMembers(components, (members, kind) =>
    mapMembers(members, (member, name) => (used.has(`#/components/${kind}/${name}`) ? member : undefined)),
  );
  return { ...document, components: left };
}

/** All references in an element; a security requirement names its scheme without `$ref`. */
const referencesIn = (element: Json): string[] =>
  Array.from(objectsIn(element)).flatMap(({ object: { $ref, security } }) => [
    ...(typeof $ref === 'string' ? [$ref] : []),
    ...(Array.isArray(security) ? security : [])
      .flatMap((requirement) => Object.keys(requirement as JsonObject))
      .map((scheme) => `#/components/securitySchemes/${scheme}`),
  ]);

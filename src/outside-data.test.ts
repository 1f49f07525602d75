// Data from outside may hold a member `toString` or `__proto__`, and its objects need not convert to a primitive. By types, this finds
// what converts such values, or looks them up, in another way than contract-tests/values/json.ts.
import { relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { packageFile } from './server/files/package-root.ts';

const { SyntaxKind, TypeFlags } = ts;
const helpers = packageFile('contract-tests/values/json.ts');
const seeded = packageFile('src/seeded.ts');
const primitive =
  TypeFlags.StringLike |
  TypeFlags.NumberLike |
  TypeFlags.BooleanLike |
  TypeFlags.BigIntLike |
  TypeFlags.VoidLike |
  TypeFlags.Null |
  TypeFlags.Never;
const anything = TypeFlags.Any | TypeFlags.Unknown;

/** What runs at users, as the build and the page have it, and a file with what must be found. */
function programWith(text: string): ts.Program {
  const host: ts.ParseConfigFileHost = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const { fileNames = [], options = {} } =
    ts.getParsedCommandLineOfConfigFile(packageFile('tsconfig.build.json'), { incremental: false }, host) ?? {};
  const compiler = ts.createCompilerHost(options, true);
  const { getSourceFile } = compiler;
  compiler.getSourceFile = (name, version, ...rest) =>
    name === seeded ? ts.createSourceFile(name, text, version, true) : getSourceFile(name, version, ...rest);
  return ts.createProgram([...fileNames, packageFile('src/dashboard/page/main.tsx'), seeded], options, compiler);
}

/** The nodes of a file that convert, or look up by a name, what may be any JSON. */
function* findingsIn(file: ts.SourceFile, checker: ts.TypeChecker): Generator<ts.Node> {
  const typeOf = (node: ts.Node): ts.Type => checker.getTypeAtLocation(node);

  /** Whether values of a type become text, or a number, without a call of what they hold; `within` are the types around it. */
  const isText = (type: ts.Type, within: readonly ts.Type[] = []): boolean => {
    if (within.includes(type)) return true;
    const isPartText = (part: ts.Type): boolean => isText(part, [...within, type]);
    if (type.isUnion()) return type.types.every(isPartText);
    if (type.isIntersection()) return type.types.some(isPartText);
    if (type.flags & primitive) return true;
    const constraint = checker.getBaseConstraintOfType(type);
    if (constraint && constraint !== type) return isPartText(constraint);
    if (checker.isArrayType(type) || checker.isTupleType(type))
      return checker.getTypeArguments(type as ts.TypeReference).every(isPartText);
    const [declared] = checker.getPropertyOfType(type, 'toString')?.declarations ?? [];
    return declared !== undefined && !/^interface Object\b/.test(declared.parent.getText());
  };
  /** Whether a type allows any name. */
  const isAnyName = (type: ts.Type): boolean =>
    type.isUnion()
      ? type.types.some(isAnyName)
      : (type.flags & (TypeFlags.String | TypeFlags.TemplateLiteral | anything)) !== 0;
  const isConversion = (node: ts.Node): boolean => ts.isIdentifier(node) && /^(String|Number)$/.test(node.text);

  function* converted(node: ts.Node): Generator<ts.Node> {
    if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent))
      for (const { expression } of node.templateSpans) yield expression;
    if (ts.isBinaryExpression(node) && /^\+=?$/.test(node.operatorToken.getText())) yield* [node.left, node.right];
    if (ts.isCallExpression(node)) {
      const { expression: called, arguments: given } = node;
      if (isConversion(called)) yield* given;
      const method = ts.isPropertyAccessExpression(called) ? called : undefined;
      const isSorted = /^(toSorted|sort)$/.test(method?.name.text ?? '') && given.length === 0;
      if (method && (isSorted || method.name.text === 'join' || given.some(isConversion))) yield method.expression;
    }
  }
  const isLookUp = (node: ts.Node): boolean =>
    (ts.isElementAccessExpression(node) &&
      !ts.isDeleteExpression(node.parent) &&
      isAnyName(typeOf(node.argumentExpression))) ||
    (ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword && isAnyName(typeOf(node.left)));
  /** Object.assign sets `__proto__`, too. */
  const isMerge = (node: ts.Node): boolean =>
    ts.isCallExpression(node) &&
    node.expression.getText() === 'Object.assign' &&
    node.arguments
      .slice(1)
      .map(typeOf)
      .some((type) => type.flags & anything || checker.getIndexInfosOfType(type).length > 0);

  const inside: ts.Node[] = [file];
  for (let node = inside.pop(); node; node = inside.pop()) {
    if (isLookUp(node) || isMerge(node) || [...converted(node)].some((each) => !isText(typeOf(each)))) yield node;
    ts.forEachChild(node, (child) => void inside.push(child));
  }
}

const seeds = [
  '`${data}`',
  'String(data)',
  'Number(data)',
  "data + ''",
  "[data].join(' ')",
  '[data].map(String)',
  '[data].toSorted()',
  'String(error)',
  'table[name]',
  'name in table',
  'Object.assign({}, table)',
  '`${table}`',
];
const allowed = [
  '`${name} ${at}`',
  'list[at]',
  "String(new URL('http://a'))",
  "['a'].join()",
  "'a' in table",
  'table.a',
];

test('what came from outside is shown, compared and looked up by values/json.ts alone', () => {
  const given = 'data: any, table: Record<string, unknown>, name: string, list: string[], at: number, error: Error';
  const lines = [...seeds, ...allowed].map((line) => `  ${line},`);
  const program = programWith([`export const of = (${given}) => [`, ...lines, '];'].join('\n'));
  const found = program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && fileName !== helpers)
    .flatMap((file) =>
      Array.from(findingsIn(file, program.getTypeChecker()), (node) => {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        return { file: relative(packageFile('.'), file.fileName), line: line + 1, text: node.getText() };
      }),
    );
  expect(found.filter(({ file }) => file !== 'src/seeded.ts')).toEqual([]);
  expect(new Set(found.map(({ text }) => text))).toEqual(new Set(seeds));
});

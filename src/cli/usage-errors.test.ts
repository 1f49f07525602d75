// What cannot be used is refused before anything is sent or served: one line on stderr, exit code 2.
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../testing/command.ts';
import { fileWith } from '../testing/refused.ts';

// Nothing listens there: a command that sends before it validates its input exits with 3.
const away = '--base-url http://127.0.0.1:1';
const misspelt = fileWith('name: x\nanswer:\n  error-body: detail\n', 'misspelt.yaml');
const target = fileWith(`baseUrl: http://127.0.0.1:1\nprofile: ${misspelt}\n`, 'target.yaml');
const misspeltTarget = fileWith('baseUrll: http://127.0.0.1:1\n', 'misspelt-target.yaml');
const badHeader = fileWith('baseUrl: http://127.0.0.1:1\nheaders: { a b: x }\n', 'header.yaml');
const authorized = fileWith('baseUrl: http://127.0.0.1:1\nheaders: { aUthorization: x }\n', 'authorized.yaml');
const other = fileWith('baseUrl: http://127.0.0.1:1\nprofil: x\n', 'other.yaml');
const old = fileWith('{"schemaVersion":0}', 'old.json');
const incomplete = fileWith('{"schemaVersion":1,"checks":[{}],"gaps":[],"target":{}}', 'cut.json');
const several = fileWith('answers:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\n  e: 5\n', 'several.yaml');
const nested = dirname(fileWith('['.repeat(100_000), 'nested.yaml'));
const portFile = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
const firstFreePort = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0;
/** In many containers everybody may take port 1. */
const isPort1Root = process.getuid?.() !== 0 && firstFreePort > 1;
const port1: [string, RegExp] = [
  'serve --port 1',
  /^port 1 on .* may not be used without more rights; choose one above/,
];
const noPrivate = { not: /secret|me[:@]/ };
const withPassword = fileWith('baseUrl: http://me:secret@h\n', 'password.yaml');
const BASIC = /^(upstream )?https?:\/\/h\/: a base URL takes no user and password, since Basic and Bearer cannot share/;

test.each<[command: string, message: RegExp, { not: RegExp }?]>([
  ['no-such-command', /^unknown command 'no-such-command'$/],
  ['verify --no-such-option', /^unknown option '--no-such-option'$/],
  ['verify --target /no/such/file.yaml', /^\/no\/such\/file\.yaml: the target file cannot be read \(ENOENT\)\.$/],
  [`verify --target ${misspeltTarget}`, /misspelt-target\.yaml:1: baseUrll is not known; .*; did you mean baseUrl\?$/],
  [`verify --target ${target}`, /misspelt\.yaml: a profile is a map with answers/],
  ['verify --timeout soon', /--timeout.*expected a number above 0/],
  ['replay x.har --fresh ./start.sh', /^--fresh cuts a recording to what shows a finding: name it by --finding\.$/],
  [
    `replay x.har --finding a --fresh b ${away}`,
    /^--fresh starts the target itself: leave out --target and --base-url\.$/,
  ],
  [`verify ${away} --profile ${misspelt}`, /misspelt\.yaml:2: answer is unknown; .*did you mean answers\?/],
  [`verify ${away} --only sso-token-typ`, /--only sso-token-typ: .*--plan' lists them; did you mean sso-token-type/],
  [`verify ${away} --skip nope`, /--skip nope: unknown check or requirement; .*--plan' lists them$/],
  [`verify ${away} --allow-untested aut-8`, /--allow-untested aut-8: .*; did you mean AUT-08\b/],
  [`verify ${away} --quick --requests 100`, /--quick .* --requests .*: leave out one of them/],
  [`verify ${away} --compare /no/such.json`, /\/no\/such\.json: neither a base URL, nor a target file/],
  [`verify ${away} --compare http://`, /"http:\/\/" is not a base URL/],
  [`verify ${away} --compare ${other}`, /other\.yaml:2: profil is not known/],
  [`verify ${away} --compare ${target}`, /misspelt\.yaml: a profile is a map/],
  [`verify ${away} --compare ${old}`, /old\.json: not a complete report of this version/],
  [`verify ${away} --compare ${incomplete}`, /cut\.json: not a complete report of this version/],
  [`verify ${away} --compare http://h --report-dir ${fileWith('', 'taken')}`, /taken: the reports cannot be written/],
  [`verify ${away} --compare http://127.0.0.1:2 --plan`, /--compare judges no single target: leave out --plan/],
  [`verify ${away} --compare http://127.0.0.1:2 --max-trouble 1`, /leave out --max-trouble/],
  [`verify ${away} --sarif /no/such/file`, /--sarif \/no\/such\/file: cannot be written \(ENOENT\)/],
  [`verify ${away} --history ${misspelt}`, /misspelt\.yaml:1: not a line of a history/],
  [`verify --target ${badHeader}`, /header\.yaml:2: headers: "a b" or its value is not valid in HTTP\.$/],
  [`verify --target ${authorized}`, /authorized\.yaml:2: headers\.aUthorization: the bearer token .*: give tokens as/],
  [
    'score --only title-lower-case',
    /^--only: no fault, variant .* title-lower-case; did you mean title-lower-cased\?$/,
  ],
  ['score --only title-lower-cased --update', /^--update stores the figures of a whole score: leave out --only$/],
  ['score --report-dir /proc/x', /--report-dir \/proc\/x: the reports cannot be written/],
  ['verify --har no-such.har', /no-such\.har: there is no such file/],
  ['verify --har x.har --explore 5', /--har judges what was recorded and sends nothing: leave out --explore/],
  ['verify --har x.har --allow-writes', /leave out --allow-writes/],
  ['verify --har x.har --strict', /--har observes no gap/],
  ['learn', /--target/],
  [`learn ${away} --profile ${misspelt}`, /misspelt\.yaml:2: answer is unknown/],
  ['learn --har no-such.har', /no-such\.har: there is no such file/],
  ['gaps nope', /^there is no gap nope; `platform-mock gaps` lists all \d+$/],
  ['gaps error-boddy', /^there is no gap error-boddy; .*; did you mean error-body\b.*\?$/],
  ['gaps events --questions', /^gaps events --questions: .*omit events\.$/],
  ['gaps --profile /no/such/profile.yaml', /\/no\/such\/profile\.yaml/],
  [`gaps --profile ${several}`, /:2: there is no gap a.*; also .*:4: there is no gap c.*; also 2 more$/],
  [`spec --profile ${misspelt}`, /misspelt\.yaml:2: answer is unknown/],
  ['faults title-leading-zero', /there is no fault title-leading-zero; .*did you mean title-leading-zeros/],
  ['proxy', /^Name the target: --base-url URL, or --target FILE\.$/],
  ['proxy --base-url ftp://x', /^"ftp:\/\/x" is not a base URL; expected http:\/\/… or https:\/\/…$/],
  [`proxy --target ${target}`, /misspelt\.yaml:2: answer is unknown/],
  ['serve --port x', /--port/],
  ['serve --host h.invalid', /^the host h\.invalid does not resolve \(\w+\); choose another with --host: /],
  // 203.0.113.0/24 is for documentation: no machine has it.
  ['serve --host 203.0.113.1', /^203\.0\.113\.1 is not an address of this machine \(EADDRNOTAVAIL\); choose another/],
  ...(isPort1Root ? [port1] : []),
  ['serve --trust-proxy nonsense', /^trust proxy: invalid IP address: nonsense; give the number of proxies/],
  ['proxy --base-url https://me:secret@h', BASIC, noPrivate],
  ['verify --base-url http://me:secret@h', BASIC, noPrivate],
  ['learn --base-url http://me@h', BASIC, noPrivate],
  [`verify --target ${withPassword}`, BASIC, noPrivate],
  [`verify ${away} --compare HTTP://me:secret@h`, BASIC, noPrivate],
  ['serve --upstream http://me:secret@h', BASIC, noPrivate],
  ['serve --upstream ftp://x', /^upstream "ftp:\/\/x" is not a base URL; expected/],
  ['serve --upstream http://x?a=b', /^upstream http:\/\/x\?a=b: a base URL has neither query nor fragment/],
  ['serve --upstream http://x --upstream-only v1', /^--upstream-only v1: a path starts with \//],
  ['serve --upstream http://x --mock-only nope', /^--mock-only nope: unknown operation; the mock has .*ssoLogin/],
  ['serve --upstream http://x --upstream-token ü', /^the upstream token must be printable/],
  [`serve --profile ${misspelt}`, /misspelt\.yaml:2: answer is unknown/],
  [`serve --fixtures ${nested}`, /nested\.yaml.*nested more than 200 levels deep/],
  ['serve --fault no-such-fault', /no-such-fault/],
  ['serve --fault delay:ms=soon', /^the fault delay: ms must be integer; found "soon"$/],
  ['serve --routes no-such-routes.yaml', /no-such-routes\.yaml: cannot be read/],
  ['serve --record /no/such/folder/x.har', /--record .*cannot be written \(ENOENT\)/],
  ['serve --record /dev/full', /--record \/dev\/full: cannot be written \(ENOSPC\)/],
  ['serve --mock-only login', /--mock-only is about an upstream: name it with --upstream URL/],
  ['serve --state /proc/self/state.json', /the state cannot be saved/],
  ['serve --store redis://h --state x.json', /option '--store <url>' cannot be used with option '--state <file>'/],
  ['serve --store redis://h --watch', /option '--store <url>' cannot be used with option '--watch'/],
  ['serve --store redis://h --upstream http://h', /'--store <url>' cannot be used with option '--upstream <url>'/],
  ['serve --store redis://me:%40secret@127.0.0.1:1', /redis:\/\/127\.0\.0\.1:1 cannot be used: .*REFUSED/, noPrivate],
])('%s', async (command, message, { not } = { not: /^\s/ }) => {
  const words = command.split(' ');
  const port = words[0] === 'serve' && !words.includes('--port') ? ['--port', '0'] : [];
  const { code, stdout, stderr } = await runHere([...words, ...port]);
  const [, said = ''] = /^platform-mock: ([^\n]+)\n$/.exec(stderr) ?? expect.unreachable(stderr);
  expect(said).toMatch(message);
  expect(said).not.toMatch(not);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from './self-signed.ts'

/** SimpleSAMLphp as a process on loopback. Everybody has the same password. */
export interface SamlProvider {
  /** The entity id, which is also where its metadata is. */
  readonly issuer: string
  readonly origin: string
  readonly certificate: string
  readonly password: string
  /** People and their attributes by user name, which is also their name id. */
  setPeople(people: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>): Promise<void>
  close(): Promise<void>
}

/** An organization that the provider knows. */
export interface KnownService {
  readonly entityId: string
  readonly acs: string
}

const program = '/usr/share/simplesamlphp/www'
const host = '127.0.0.1'
const password = 'everybody knows it'
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

export async function startSamlProvider(services: readonly KnownService[]): Promise<SamlProvider> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-saml-'))
  const port = await freePort()
  const origin = `http://${host}:${port}`
  const issuer = `${origin}/saml2/idp/metadata.php`
  const { privateKey, certificate } = selfSigned()
  for (const each of ['config', 'metadata', 'cert', 'log', 'data', 'sessions', 'temp']) await mkdir(join(folder, each))
  await writeFile(join(folder, 'cert/provider.pem'), privateKey)
  await writeFile(join(folder, 'cert/provider.crt'), certificate)
  const write = (path: string, name: string, value: unknown) =>
    writeFile(join(folder, path), `<?php\n$${name} = json_decode(<<<'JSON'\n${JSON.stringify(value)}\nJSON, true);\n`)
  await write('config/config.php', 'config', settingsOf(folder, origin))
  await write('metadata/saml20-idp-hosted.php', 'metadata', { [issuer]: hosted })
  await write('metadata/saml20-sp-remote.php', 'metadata', Object.fromEntries(services.map(remoteOf)))
  const setPeople: SamlProvider['setPeople'] = (people) => write('config/authsources.php', 'config', sourceOf(people))
  await setPeople({})
  const stop = await serve(folder, `${host}:${port}`)
  return {
    issuer,
    origin,
    certificate,
    password,
    setPeople,
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function settingsOf(folder: string, origin: string): object {
  return {
    baseurlpath: `${origin}/`,
    certdir: `${folder}/cert/`,
    loggingdir: `${folder}/log/`,
    datadir: `${folder}/data/`,
    tempdir: `${folder}/temp`,
    metadatadir: `${folder}/metadata/`,
    attributenamemapdir: '/etc/simplesamlphp/attributemap/',
    'auth.adminpassword': password,
    secretsalt: 'a salt that only tests use',
    technicalcontact_name: 'Test',
    technicalcontact_email: 'test@weir.test',
    timezone: 'UTC',
    'logging.handler': 'file',
    'logging.level': 4,
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true },
    'session.cookie.secure': false,
    'session.cookie.samesite': null,
    'session.phpsession.savepath': `${folder}/sessions`,
    'session.phpsession.httponly': true,
    'language.cookie.secure': false,
    'language.cookie.samesite': null,
    'store.type': 'phpsession',
    'metadata.sources': [{ type: 'flatfile', directory: `${folder}/metadata/` }],
    'admin.checkforupdates': false,
  }
}

const hosted = {
  host: '__DEFAULT__',
  privatekey: 'provider.pem',
  certificate: 'provider.crt',
  auth: 'people',
  'signature.algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  NameIDFormat: persistent,
  authproc: { 3: { class: 'saml:AttributeNameID', attribute: 'uid', Format: persistent } },
}

function remoteOf({ entityId, acs }: KnownService): [string, object] {
  return [entityId, { AssertionConsumerService: acs, NameIDFormat: persistent }]
}

function sourceOf(people: Parameters<SamlProvider['setPeople']>[0]): object {
  const entries = Object.entries(people).map(([name, attributes]) => [
    `${name}:${password}`,
    { uid: [name], ...attributes },
  ])
  return { people: { 0: 'exampleauth:UserPass', ...Object.fromEntries(entries) } }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** PHP's own server. It prints a line when it listens. */
async function serve(folder: string, address: string): Promise<() => Promise<void>> {
  // With its cache, PHP would not notice for two seconds that the people have changed.
  const words = ['-d', 'opcache.enable=0', '-S', address, '-t', program]
  const server = spawn('php', words, {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: join(folder, 'config') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(server, 'close')
  const printed = await Promise.race([once(server.stderr, 'data'), ended])
  if (!String(printed[0]).includes('started')) throw new Error(`php did not start: ${String(printed[0])}`)
  server.stderr.resume()
  // A test that fails may not come to close it.
  const kill = (): void => void server.kill()
  process.once('exit', kill)
  return async () => {
    process.off('exit', kill)
    server.kill()
    await ended
  }
}

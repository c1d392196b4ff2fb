import { type ChildProcess, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createPool } from '../../server/src/store/postgres/create-pool.ts'
import type { Buildah } from './buildah.ts'
import { imageUser } from './image-user.ts'

const compressedMax = 100_000_000

/**
 * Starts the built image and sends a request through it, as its own user and with a read-only root, on this machine's
 * Postgres and Redis. `buildah run` has no read-only root, so this mounts it in a separate namespace.
 */
export async function proveImage(
  buildah: Buildah,
  { archive, serverUrl, redisUrl }: { archive: string; serverUrl: string; redisUrl: string },
): Promise<void> {
  if (statSync(archive).size > compressedMax) throw new Error(`${archive} is larger than 100 MB.`)
  const container = await buildah.run('from', '--pull-never', buildah.image)
  const help = await buildah.run('run', container, '--', '/usr/bin/node', '/opt/weir/bin/weir.js', '--help')
  if (!help.includes('weir <command>')) throw new Error(`The image does not start:\n${help}`)
  const shell = await buildah.run('run', container, '--', '/bin/sh', '-c', 'true').catch(() => null)
  if (shell !== null) throw new Error('The image has a shell.')

  const root = await buildah.run('mount', container)
  const volume = join(buildah.folder, 'volume')
  mkdirSync(volume)
  chownSync(volume, imageUser, imageUser)
  const database = await createDatabase(serverUrl)
  const environment = {
    WEIR_SECRET: crypto.getRandomValues(Buffer.alloc(48)).toString('base64'),
    WEIR_POSTGRES_URL: database.url,
    WEIR_REDIS_URL: redisUrl,
    WEIR_DATA_DIR: '/var/lib/weir',
    WEIR_HTTP_PORT: '0',
    WEIR_OPERATING_PORT: '0',
  }
  const start = (...words: string[]) => startReadOnly({ root, volume, environment }, words)
  const email = 'image@example.com'
  await printedBy(start('migrate'))
  await printedBy(start('user', 'create', email, '--grant', '1'))
  const { secret } = JSON.parse(await printedBy(start('key', 'create', email, '--name', 'image', '--json')))
  const gateway = start('gateway')
  try {
    await request(await addressOf(gateway), secret)
  } finally {
    gateway.kill('SIGTERM')
    await once(gateway, 'exit')
    await database.drop()
  }
}

/** A database for this run only. */
async function createDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const url = new URL(serverUrl)
  url.pathname = `/weir_image_${process.pid}`
  const ask = async (sql: string): Promise<void> => {
    const pool = createPool({ connectionString: serverUrl, max: 1, onError: () => {} })
    await pool.query(sql).finally(() => pool.end())
  }
  await ask(`CREATE DATABASE weir_image_${process.pid}`)
  return { url: url.href, drop: () => ask(`DROP DATABASE weir_image_${process.pid} WITH (FORCE)`) }
}

/** `"$@"` is the program. The started process becomes it, so that signals reach it. */
const readOnly = `mount --bind "$ROOT" "$ROOT" && mount -o remount,ro,bind "$ROOT" && mount --bind "$VOLUME" "$ROOT/var/lib/weir" &&
  exec env -u VOLUME -u ROOT chroot --userspec=${imageUser}:${imageUser} "$ROOT" "$@"`

function startReadOnly(
  place: { root: string; volume: string; environment: Readonly<Record<string, string>> },
  words: readonly string[],
): ChildProcess {
  const program = ['/usr/bin/node', '/opt/weir/bin/weir.js', ...words]
  return spawn('unshare', ['--mount', 'sh', '-c', readOnly, 'sh', ...program], {
    env: { PATH: process.env['PATH'], ...place.environment, ROOT: place.root, VOLUME: place.volume },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function printedBy(child: ChildProcess): Promise<string> {
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += String(chunk)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`A command of the image failed:\n${printed}`)
  return printed
}

/** The gateway logs its address. */
async function addressOf(gateway: ChildProcess): Promise<string> {
  const { stdout } = gateway
  if (stdout === null) throw new Error('The gateway of the image has no output.')
  for await (const [chunk] of on(stdout, 'data', { close: ['end'] })) {
    const address = /"address":"([^"]+)"/.exec(String(chunk))?.[1]
    if (address !== undefined) return address
  }
  throw new Error('The gateway of the image ended.')
}

async function request(address: string, secret: string): Promise<void> {
  const answer = await fetch(new URL('/v1/chat/completions', address), {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test/echo', messages: [{ role: 'user', content: 'Hello from an image' }] }),
  })
  const text = await answer.text()
  if (answer.status !== 200 || !text.includes('Hello from an image')) throw new Error(`The image answers ${text}`)
}

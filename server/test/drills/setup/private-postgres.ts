import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'

/** A Postgres of the drills, which they may crash. */
export interface PrivatePostgres {
  readonly url: string
  readonly port: number
  readonly dataFolder: string
  /** Like a power failure: no checkpoint, and clients are cut off. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Shuts down cleanly and restarts with empty caches. */
  restart(): Promise<void>
  /** Crashes and restarts in one go. */
  restartAfterCrash(): Promise<void>
  /** Promotes a standby: it accepts writes from now on. */
  promote(): Promise<void>
  remove(): Promise<void>
}

const run = promisify(execFile)
const binaries = process.env['WEIR_TEST_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'

interface PrivateOptions {
  /** Additional or overriding database settings. */
  readonly settings?: Readonly<Record<string, string>>
  /** A data folder to reuse from an earlier run. The server is left running at the end. */
  readonly keptFolder?: string
  /** The parent of its data folder, by default the folder for temporary files. */
  readonly parentFolder?: string
  /** Makes it a standby of this server. */
  readonly standbyOf?: { readonly port: number }
}

const usualSettings = { listen_addresses: '127.0.0.1', fsync: 'on', shared_buffers: '32MB', max_connections: '200' }

export async function createPrivatePostgres(options: PrivateOptions = {}): Promise<PrivatePostgres> {
  const { settings, keptFolder, parentFolder = tmpdir(), standbyOf } = options
  if (keptFolder !== undefined) await mkdir(keptFolder, { recursive: true })
  const folder = keptFolder ?? (await mkdtemp(join(parentFolder, 'weir-drill-postgres-')))
  const asOwner = await ownerOf(folder)
  const data = join(folder, 'data')
  const port = await findLastingPort()
  const control = (...words: string[]): Promise<void> =>
    asOwner.run('pg_ctl', ['-D', data, '-w', '-t', '600', ...words])
  if (standbyOf !== undefined) {
    const source = `host=127.0.0.1 port=${standbyOf.port} user=postgres`
    await asOwner.run('pg_basebackup', ['-d', source, '-D', data, '-R', '-c', 'fast', '--no-sync'])
  } else if (!existsSync(data)) {
    await asOwner.run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  }
  const limits = Object.entries({ ...usualSettings, ...settings }).map(([name, value]) => `-c ${name}=${value}`)
  const switches = ['-l', join(folder, 'log'), '-o', `-p ${port} -k ${folder} ${limits.join(' ')}`]
  const start = (): Promise<void> => control('start', ...switches)
  const restart = (): Promise<void> => control('restart', '-m', 'fast', ...switches)
  // A kept server may still be running, on another port.
  await (keptFolder === undefined ? start() : restart())
  if (keptFolder === undefined) asOwner.removeWhenOrphaned(data, folder)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    dataFolder: data,
    crash: () => control('stop', '-m', 'immediate'),
    start,
    restart,
    restartAfterCrash: () => control('restart', '-m', 'immediate', ...switches),
    promote: () => control('promote'),
    remove: async () => {
      await control('stop', '-m', 'immediate').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

// Retries for five seconds, because a starting server has no process id yet.
const stopAndRemove = `folder=$1; shift
  for turn in 1 2 3 4 5 6 7 8 9 10; do [ -d "$folder" ] || exit; "$@" && break; sleep 0.5; done; rm -rf "$folder"`

interface Owner {
  run(binary: string, words: string[]): Promise<void>
  /** Stops the server and removes its folder after this process has ended in any way. */
  removeWhenOrphaned(data: string, folder: string): void
}

/** Postgres refuses to run as root, so root uses the user it was installed with. */
async function ownerOf(folder: string): Promise<Owner> {
  const isRoot = process.getuid?.() === 0
  const prefix = isRoot ? ['runuser', '-u', 'postgres', '--'] : []
  const split = (binary: string, words: string[]): [string, string[]] => {
    const [file = '', ...rest] = [...prefix, join(binaries, binary), ...words]
    return [file, rest]
  }
  if (isRoot) {
    const read = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout)
    await chown(folder, await read('-u'), await read('-g'))
  }
  return {
    run: async (binary, words) => {
      await run(...split(binary, words), { cwd: folder })
    },
    removeWhenOrphaned: (data, orphan) => {
      const [file, words] = split('pg_ctl', ['-D', data, 'stop', '-m', 'immediate'])
      whenOrphaned(stopAndRemove, [orphan, file, ...words])
    },
  }
}

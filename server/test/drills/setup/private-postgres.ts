import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '#test/bench/start-process.ts'

/** A Postgres of the drills' own, which they may crash. */
export interface PrivatePostgres {
  readonly url: string
  readonly port: number
  /** As if the power went: no checkpoint, clients are cut off. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Crashes and comes back in one go. */
  restartAfterCrash(): Promise<void>
  remove(): Promise<void>
}

const run = promisify(execFile)
const binaries = process.env['WEIR_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'

export async function createPrivatePostgres(): Promise<PrivatePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-drill-postgres-'))
  const asOwner = await ownerOf(folder)
  const data = join(folder, 'data')
  const port = await findFreePort()
  await asOwner('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const control = (...words: string[]): Promise<void> => asOwner('pg_ctl', ['-D', data, '-w', '-t', '60', ...words])
  const settings = [
    ...['-p', String(port), '-k', folder],
    ...['listen_addresses=127.0.0.1', 'fsync=on', 'shared_buffers=32MB', 'max_connections=200'].map(
      (set) => `-c ${set}`,
    ),
  ].join(' ')
  const start = (): Promise<void> => control('start', '-l', join(folder, 'log'), '-o', settings)
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    crash: () => control('stop', '-m', 'immediate'),
    start,
    restartAfterCrash: () => control('restart', '-m', 'immediate', '-l', join(folder, 'log'), '-o', settings),
    remove: async () => {
      await control('stop', '-m', 'immediate').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Postgres refuses to run as root, so there it runs as the user it was installed with. */
async function ownerOf(folder: string): Promise<(binary: string, words: string[]) => Promise<void>> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
    )
    if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  }
  return async (binary, words) => {
    const command = [join(binaries, binary), ...words]
    const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
    await run(file, rest, { cwd: folder })
  }
}

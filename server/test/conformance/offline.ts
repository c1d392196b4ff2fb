import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * An isolated network for a client, where only the given local addresses exist: the client runs without the internet.
 * Sockets in the file system lead out of it, and `passage-inside.mjs` serves them at the same ports.
 */
export interface Offline {
  /** Returns a command line that runs the command in that network. */
  wrap(command: readonly string[]): [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

const enter = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] as const

/** Returns null if the system has no such networks or forbids them. */
export async function startOffline(urls: readonly string[]): Promise<Offline | null> {
  if (!canEnter()) return null
  const folder = await mkdtemp(join(tmpdir(), 'weir-passages-'))
  const passages = await Promise.all(
    urls.map(async (url) => {
      const port = Number(new URL(url).port)
      const path = join(folder, `${port}`)
      return { port, path, server: await openPassage(port, path) }
    }),
  )
  return {
    wrap: (command) => [...enter, ...command],
    environment: { WEIR_PASSAGES: JSON.stringify(passages.map(({ port, path }) => ({ port, path }))) },
    close: async () => {
      for (const { server } of passages) server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function canEnter(): boolean {
  try {
    const [program, ...args] = [...enter, 'true']
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function openPassage(port: number, path: string): Promise<Server> {
  const server = createServer((inner) => relay(inner, connect(port, '127.0.0.1')))
  server.listen(path)
  await once(server, 'listening')
  return server
}

function relay(inner: Socket, outer: Socket): void {
  inner.pipe(outer).pipe(inner)
  for (const [one, other] of [
    [inner, outer],
    [outer, inner],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

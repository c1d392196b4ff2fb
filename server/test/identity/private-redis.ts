import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'

export interface PrivateRedis {
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
  /** Stops the process without closing its connections, as a server that hangs. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

/** A Redis of the test's own, which it may kill and start again on the same port. */
export async function createPrivateRedis(): Promise<PrivateRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-redis-'))
  const port = await findFreePort()
  let server: ChildProcess | undefined
  let watcher: ChildProcess | undefined

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    const started = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
    server = started
    watcher = whenOrphaned('kill -9 "$1"', [String(started.pid)])
    for await (const line of createInterface({ input: started.stdout })) {
      if (line.includes('Ready to accept connections')) break
    }
    started.stdout.resume()
  }

  async function kill(): Promise<void> {
    if (server === undefined) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    server = undefined
    // Its process id may soon be that of another process.
    watcher?.kill('SIGKILL')
    await exited
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    async remove() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('the probe has no port')
  return address.port
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'

export interface PrivateRedis {
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
  /** Stops the process without closing its connections, like a hung server. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

/** A private Redis for the test, which may kill it and restart it on the same port. */
export async function createPrivateRedis({ replicaOf }: { replicaOf?: PrivateRedis } = {}): Promise<PrivateRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-redis-'))
  const port = await findLastingPort()
  let server: { process: ChildProcess; exited: Promise<unknown>; watcher: ChildProcess } | undefined

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    if (replicaOf !== undefined) settings.push('--replicaof', `127.0.0.1 ${new URL(replicaOf.url).port}`)
    const started = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(started, 'exit')
    const watcher = whenOrphaned('kill -9 "$1"', [String(started.pid)])
    const lines: string[] = []
    let isReady = false
    for await (const line of createInterface({ input: started.stdout })) {
      lines.push(line)
      isReady = line.includes('Ready to accept connections')
      if (isReady) break
    }
    started.stdout.resume()
    if (!isReady) {
      watcher.kill('SIGKILL')
      throw new Error(`Redis did not start: ${lines.join('\n')}`)
    }
    server = { process: started, exited, watcher }
  }

  async function kill(): Promise<void> {
    if (server === undefined) return
    const { process: running, exited, watcher } = server
    server = undefined
    running.kill('SIGKILL')
    // Another process may soon reuse its process id.
    watcher.kill('SIGKILL')
    await exited
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => server?.process.kill('SIGSTOP'),
    thaw: () => server?.process.kill('SIGCONT'),
    async remove() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

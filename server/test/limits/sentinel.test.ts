import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createPrivateRedis, type PrivateRedis } from '#test/identity/private-redis.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'

let first: PrivateRedis
let second: PrivateRedis
let sentinel: { port: number; end(): Promise<void> }

beforeAll(async () => {
  first = await createPrivateRedis()
  await first.start()
  second = await createPrivateRedis({ replicaOf: first })
  await second.start()
  sentinel = await startSentinel(first)
})
afterAll(async () => {
  await sentinel?.end()
  await Promise.all([first?.remove(), second?.remove()])
})

/** Starts one sentinel that declares a server down after half a second. */
async function startSentinel(watched: PrivateRedis): Promise<{ port: number; end(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-sentinel-'))
  const port = await findLastingPort()
  const file = join(folder, 'sentinel.conf')
  await writeFile(
    file,
    `port ${port}
bind 127.0.0.1
dir ${folder}
sentinel monitor weir 127.0.0.1 ${new URL(watched.url).port} 1
sentinel down-after-milliseconds weir 500
sentinel failover-timeout weir 2000
`,
  )
  const started = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' })
  const watcher = whenOrphaned('kill -9 "$1"', [String(started.pid)])
  const exited = once(started, 'exit')
  const end = async (): Promise<void> => {
    started.kill('SIGKILL')
    watcher.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true })
  }
  return { port, end }
}

it('with sentinels the server that takes writes is found, and found again after it died', async () => {
  let readies = 0
  const redis = createRedisClient({
    url: `redis+sentinel://127.0.0.1:${sentinel.port}/weir`,
    commandTimeoutMs: 10_000,
    onReady: () => {
      readies += 1
    },
  })
  const port = async (): Promise<string> =>
    /tcp_port:(\d+)/.exec(await redis.info('server').catch(() => ''))?.[1] ?? 'none'
  const count = (): Promise<number | null> => redis.incr('count').catch(() => null)
  try {
    await expect.poll(port).toBe(new URL(first.url).port)
    await expect.poll(count).toBe(1)
    // The sentinel learns of replicas from the server, and the replica must have the count.
    const replica = createRedisClient({ url: second.url, commandTimeoutMs: 10_000 })
    await expect.poll(() => replica.get('count').catch(() => null)).toBe('1')
    const asked = createRedisClient({ url: `redis://127.0.0.1:${sentinel.port}`, commandTimeoutMs: 10_000 })
    await expect
      .poll(async () => JSON.stringify(await asked.call('SENTINEL', 'replicas', 'weir').catch(() => '')))
      .toContain(new URL(second.url).port)
    await first.kill()
    await expect.poll(port).toBe(new URL(second.url).port)
    await expect.poll(count).toBe(2)
    expect(readies).toBeGreaterThan(1)

    // The client also leaves a server that has become a replica.
    await replica.replicaof('127.0.0.1', '1')
    expect(await count()).toBeNull()
    await expect.poll(() => redis.status).not.toBe('ready')
    replica.disconnect()
    asked.disconnect()
  } finally {
    redis.disconnect()
  }
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { patience } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { type Spawned, spawnCommand } from './spawned.ts'

const program = join(import.meta.dirname, '../../src/bin/weir.ts')

const goodSettings = 'log:\n  level: info\n'

let folder: string
let settingsFile: string
let database: TestDatabase
const spawned: Spawned[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-processes-'))
  settingsFile = join(folder, 'weir.yaml')
  await writeFile(settingsFile, goodSettings)
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const each of spawned) each.kill()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('a gateway of two processes', () => {
  it('is replaced without a failed request, outlives the death of one, and stops as one', async () => {
    const gateway = start({})
    const [, address = ''] = await gateway.waitForLine(/"address":"([^"]+)","msg":"the gateway is ready"/)
    const traffic = startTraffic(address)
    // Sent before the second process is ready: both are replaced once both are ready.
    gateway.process.kill('SIGHUP')
    await gateway.waitForLine(/all processes were replaced/)
    expect(await traffic.stop()).toEqual(new Set([200]))
    expect(gateway.lines.findIndex((line) => line.includes('all processes are ready'))).toBeGreaterThan(0)
    // Each process writes its own lines, so the last may arrive after the supervisor's.
    await expect.poll(() => processesOf(gateway).length).toBe(4)
    const born = processesOf(gateway)
    expect(new Set(born.map(({ pid }) => pid)).size).toBe(4)
    expect(new Set(born.map((each) => each.address))).toEqual(new Set([address]))
    const running = born.slice(2)
    expect(new Set(running.map(({ operating }) => operating)).size).toBe(2)
    for (const { operating } of running) expect((await fetch(`${operating}/metrics`)).status).toBe(200)

    // With invalid settings the first is not replaced, and the second continues until it dies; with valid ones, both
    // return.
    await writeFile(settingsFile, 'log:\n  level: loud\n')
    gateway.process.kill('SIGHUP')
    await gateway.waitForLine(/a new process failed to start; the other processes keep running unchanged/)
    expect((await fetch(`${address}/v1/models`)).status).toBe(200)
    await writeFile(settingsFile, goodSettings)
    process.kill(running.at(-1)?.pid ?? 0, 'SIGKILL')
    await expect.poll(() => processesOf(gateway).length).toBe(6)
    // While none runs, no process holds the port, which was chosen at random.
    expect((await fetch(`${processesOf(gateway).at(-1)?.address}/v1/models`)).status).toBe(200)

    gateway.process.kill('SIGTERM')
    expect(await gateway.exited, gateway.lines.join('\n')).toBe(0)
    expect(gateway.lines.at(-1)).toMatch(/all processes have stopped/)
  })

  it('does not start where its first process cannot, and says why once', async () => {
    const gateway = start({ WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir' })
    expect(await gateway.exited).toBe(1)
    expect(gateway.errorLines).toEqual([expect.stringMatching(/^Postgres is unavailable: connect ECONNREFUSED/)])
  })
})

function start(env: Record<string, string>): Spawned {
  const started = spawnCommand([process.execPath, program, 'gateway', '--processes', '2'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      WEIR_CONFIG: settingsFile,
      WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e',
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_DATA_DIR: join(folder, 'data'),
      WEIR_HTTP_PORT: '0',
      WEIR_OPERATING_PORT: '0',
      WEIR_DRAIN_NOTICE_MS: '0',
      ...patience,
      ...env,
    },
  })
  spawned.push(started)
  return started
}

/** All processes that have become ready so far. */
function processesOf(gateway: Spawned): { pid: number; operating: string; address: string }[] {
  return gateway.lines.flatMap((line) => {
    const found = /"pid":(\d+),.*"operating":"([^"]+)","address":"([^"]+)","msg":"the gateway is ready"/.exec(line)
    const [, pid, operating = '', address = ''] = found ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), operating, address }]
  })
}

/** Sends requests one after another, each on its own connection, until it is stopped. */
function startTraffic(address: string) {
  const statuses = new Set<number>()
  const stopping = new AbortController()
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const answer = await fetch(`${address}/v1/models`, { headers: { connection: 'close' } })
      await answer.arrayBuffer()
      statuses.add(answer.status)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await loop
      return statuses
    },
  }
}

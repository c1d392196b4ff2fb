import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { type Spawned, spawnCommand } from './spawned.ts'

const program = join(import.meta.dirname, '../../src/bin/weir.ts')
const filesMax = 500
// Two files per connection, besides 200 reserved for everything else.
const connectionsMax = 150

let folder: string
let database: TestDatabase
let gateway: Spawned
const sockets: Socket[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-files-'))
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  gateway.kill()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

it('a gateway that may open few files says how many connections it takes, and refuses others instead of running out', async () => {
  gateway = spawnCommand(['prlimit', `--nofile=${filesMax}`, process.execPath, program, 'gateway'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e',
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_DATA_DIR: join(folder, 'data'),
      WEIR_HTTP_PORT: '0',
      WEIR_OPERATING_PORT: '0',
      WEIR_HTTP_ADDRESS_CONNECTIONS_MAX: '10000',
    },
  })
  const [, address = ''] = await gateway.waitForLine(/"address":"([^"]+)","msg":"the gateway is ready"/)
  const warning = `is 16384, but this process can only open ${filesMax} files, so it accepts ${connectionsMax} connections`
  expect(gateway.lines.filter((line) => line.includes(warning))).toHaveLength(1)
  const answers: string[] = []
  for (let count = 0; count <= connectionsMax; count += 1) answers.push(await ask(address))
  expect(new Set(answers.slice(0, connectionsMax))).toEqual(new Set(['HTTP/1.1 200 OK']))
  expect(answers.at(-1)).toBe('HTTP/1.1 503 Service Unavailable')
})

/** The first line of the response on a new connection, which stays open. */
async function ask(address: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write('GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n')
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString().split('\r\n')[0] ?? ''
}

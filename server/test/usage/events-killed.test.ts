import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, stringAt } from '#lib/json.ts'
import { serverEnvironment } from '#test/drills/setup/server-environment.ts'
import { type ServerProcess, startServerProcess } from '#test/drills/setup/server-process.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { eventually } from '#test/videos/webhook-deliveries.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/videos/webhook-receiver.ts'
import { fileIds, lineIds, spanIds } from './events-world.ts'

const prompt = 'what did the heron see beneath the weir?'

describe('a worker that is killed between sending and noting it', () => {
  let gateway: TestGateway
  let collector: WebhookReceiver
  let receiver: WebhookReceiver
  let folder: string
  const workers: ServerProcess[] = []

  async function startWorker(failpoints = ''): Promise<ServerProcess> {
    const worker = await startServerProcess({
      command: 'worker',
      dataFolder: folder,
      env: {
        ...serverEnvironment({ postgres: gateway.databaseUrl, redis: testRedisUrl() }),
        WEIR_FAILPOINTS: failpoints,
        WEIR_USAGE_ROLLUP_MS: '20',
        WEIR_EVENTS_POLL_MS: '20',
        WEIR_EVENTS_BATCH: '2',
        WEIR_EVENTS_FROM_START: 'true',
        WEIR_EVENTS_OTLP_URL: collector.url,
        WEIR_EVENTS_NDJSON_URL: receiver.url,
        WEIR_EVENTS_NDJSON_FILE: join(folder, 'events.ndjson'),
      },
    })
    workers.push(worker)
    return worker
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-killed-'))
    gateway = await startTestGateway()
    collector = await startWebhookReceiver((_call, response) => void response.end('{}'))
    receiver = await startWebhookReceiver()
  })
  afterAll(async () => {
    for (const worker of workers) await worker.kill()
    await gateway.close()
    await collector.close()
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('leaves nothing out: every request arrives at every sink, some of them twice, and none with content', async () => {
    const { key } = await gateway.createClient({ usd: '1' })
    const ids: string[] = []
    for (let count = 0; count < 8; count += 1) {
      const { json, chunks, status } = await callChat(
        gateway.as(key),
        { model: 'test/echo', messages: [{ role: 'user', content: prompt }], stream: count % 2 === 0 },
        { headers: { 'x-title': 'herons' } },
      )
      expect(status).toBe(200)
      ids.push(stringAt(isJsonObject(chunks[0]) ? chunks[0] : json, 'id') ?? '')
    }
    const path = join(folder, 'events.ndjson')
    // The worker may be sending to any of the sinks at that moment.
    for (const hit of [1, 4]) await (await startWorker(`after-events=exit@${hit}`)).exited
    await startWorker()
    const expected = new Set(ids)
    expect(expected.size).toBe(8)
    await eventually(() => new Set(spanIds(collector)), expected)
    await eventually(() => new Set(lineIds(receiver)), expected)
    await eventually(async () => new Set(await fileIds(path)), expected)
    const sent = spanIds(collector).length + lineIds(receiver).length + (await fileIds(path)).length
    expect(sent).toBeGreaterThan(3 * expected.size)
    const bytes =
      [...collector.calls, ...receiver.calls].map(({ body }) => body).join('') + (await readFile(path, 'utf8'))
    expect(bytes).toContain('herons')
    expect(bytes).not.toContain('beneath')
  })
})

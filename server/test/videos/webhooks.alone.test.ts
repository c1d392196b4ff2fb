import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sealingKeyFrom } from '#lib/seal.ts'
import { newUuid } from '#lib/uuid.ts'
import { createWebhookQueue, listWebhooks } from '#store/postgres/videos/webhook-queue.ts'
import { runWeir } from '#test/audit/run-weir.ts'
import { startServerProcess } from '#test/drills/setup/server-process.ts'
import { createTestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'
import { addDelivery, deliveryOf, dueCalls, eventually, makeDue } from './webhook-deliveries.ts'
import { startWebhookReceiver, takeCall, type WebhookReceiver } from './webhook-receiver.ts'

const settings = { WEIR_WEBHOOKS_PAUSE_MS: '40' }

describe('a webhook', () => {
  let world: VideoWorld
  let caller: { key: string; walletId: string }
  const receivers: WebhookReceiver[] = []

  async function receive(...options: Parameters<typeof startWebhookReceiver>): Promise<WebhookReceiver> {
    const receiver = await startWebhookReceiver(...options)
    receivers.push(receiver)
    return receiver
  }

  /** Orders a video and waits for its end. */
  async function order(callback_url: string): Promise<string> {
    const id = await world.submit(caller, { callback_url })
    await world.ended(caller, id)
    return id
  }

  beforeAll(async () => {
    world = await startVideoWorld('luma-agents', settings)
    await world.addModels([plainModel])
    caller = await world.createClient({ usd: '100' })
    await world.startWorker()
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await world.close()
    for (const receiver of receivers) await receiver.close()
  })

  it('[VIDEO-26] [VIDEO-33] [VIDEO-34] [VIDEO-35] is the poll body with absolute URLs, sent once it is completed', async () => {
    const receiver = await receive()
    await world.upstream.playNext({ pendingPolls: 2, workingPolls: 2 })
    const id = await world.submit(caller, { callback_url: `${receiver.url}/hook?of=${'x'.repeat(10)}` })
    // No client polls.
    await eventually(() => receiver.calls.length, 1)
    const [call] = receiver.calls
    const polled = await world.call(caller, `/v1/videos/${id}`)
    expect(call?.json).toEqual({
      ...polled.json,
      event: 'video.completed',
      polling_url: `${ownOrigin}/v1/videos/${id}`,
      unsigned_urls: [`${ownOrigin}/v1/videos/${id}/content?index=0`],
    })
    expect(call).toMatchObject({ method: 'POST', path: '/hook?of=xxxxxxxxxx' })
    expect(call?.headers).toMatchObject({ 'content-type': 'application/json', 'x-webhook-id': expect.any(String) })
    const named = Object.keys(call?.headers ?? {}).filter((name) =>
      /sign|hmac|timestamp|authorization|cookie/i.test(name),
    )
    expect(named).toEqual([])
    await eventually(async () => (await deliveryOf(world.pool, id))?.delivered_at instanceof Date, true)
    expect(receiver.calls).toHaveLength(1)
  })

  it('[VIDEO-33] [VIDEO-34] tells of failures with `video.failed` and the error of the poll', async () => {
    const receiver = await receive()
    await world.upstream.playNext({ workingPolls: 1, end: { kind: 'failed', message: 'the reel is torn' } })
    const id = await order(receiver.url)
    await eventually(() => receiver.calls.length, 1)
    const polled = await world.call(caller, `/v1/videos/${id}`)
    expect(receiver.calls[0]?.json).toEqual({
      ...polled.json,
      event: 'video.failed',
      polling_url: `${ownOrigin}/v1/videos/${id}`,
    })
    expect(receiver.calls[0]?.json.error).toEqual(expect.any(String))
  })

  it('[VIDEO-35] is sent again with longer and longer pauses until it is taken, each time with the same id', async () => {
    const receiver = await receive((call, response) =>
      receiver.calls.length < 5 ? void response.writeHead(503).end('later') : takeCall(call, response),
    )
    const id = await order(receiver.url)
    await eventually(() => receiver.calls.length, 5)
    await eventually(async () => (await deliveryOf(world.pool, id))?.delivered_at instanceof Date, true)
    const { calls } = receiver
    expect(new Set(calls.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1)
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    const pauses = calls.slice(1).map(({ atMs }, index) => atMs - (calls[index]?.atMs ?? 0))
    for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(40 * 2 ** index)
    expect(await deliveryOf(world.pool, id)).toMatchObject({ attempts: 5, last_status: 204, last_error: null })
  })

  it('[VIDEO-35] reaches a receiver that was down and came back', async () => {
    let isDown = true
    const receiver = await receive((call, response) =>
      isDown ? void response.socket?.destroy() : takeCall(call, response),
    )
    const id = await order(`${receiver.url}/back`)
    await eventually(async () => ((await deliveryOf(world.pool, id))?.attempts ?? 0) >= 2, true)
    expect(await deliveryOf(world.pool, id)).toMatchObject({ delivered_at: null, last_status: null })
    isDown = false
    await makeDue(world.pool, id)
    await eventually(async () => (await deliveryOf(world.pool, id))?.delivered_at instanceof Date, true)
  })

  it('[VIDEO-35] follows no redirect', async () => {
    const elsewhere = await receive()
    const receiver = await receive((_call, response) => void response.writeHead(307, { location: elsewhere.url }).end())
    const id = await order(receiver.url)
    await eventually(() => receiver.calls.length >= 2, true)
    expect(elsewhere.connections).toBe(0)
    expect(await deliveryOf(world.pool, id)).toMatchObject({ delivered_at: null, last_status: 307 })
  })

  it('[VIDEO-35] that is not answered keeps no other webhook waiting', async () => {
    const answered = Promise.withResolvers<void>()
    let unanswered = 0
    const slow = await receive(async (call, response) => {
      unanswered += 1
      response.once('close', () => {
        unanswered -= 1
      })
      await answered.promise
      await takeCall(call, response)
    })
    let isCalledMeanwhile = false
    const quick = await receive((call, response) => {
      isCalledMeanwhile ||= unanswered > 0
      return takeCall(call, response)
    })
    const id = await order(slow.url)
    await eventually(() => slow.calls.length >= 1, true)
    // The worker gives up a delivery after a while and retries it: a webhook in between proves nothing, so more follow.
    await eventually(async () => {
      await addDelivery(world.pool, quick.url)
      return isCalledMeanwhile
    }, true)
    expect(await deliveryOf(world.pool, id)).toMatchObject({ delivered_at: null })
    answered.resolve()
    await eventually(async () => (await deliveryOf(world.pool, id))?.delivered_at instanceof Date, true)
  })

  it('[VIDEO-35] counts as taken by its status, however long the answer goes on', async () => {
    const receiver = await receive((_call, response) => {
      response.writeHead(200)
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', pour)
      pour()
    })
    const id = await order(receiver.url)
    await eventually(async () => (await deliveryOf(world.pool, id))?.delivered_at instanceof Date, true)
    expect(receiver.calls).toHaveLength(1)
  })

  it('[VIDEO-35] is given up a day after the end of its job, and operators can see that', async () => {
    const receiver = await receive((_call, response) => void response.writeHead(500).end())
    const id = await order(receiver.url)
    await eventually(() => receiver.calls.length >= 1, true)
    await makeDue(world.pool, id, { createdHoursAgo: 24 })
    await eventually(async () => (await deliveryOf(world.pool, id))?.due_at, null)
    const tried = receiver.calls.length
    vi.stubEnv('WEIR_POSTGRES_URL', world.databaseUrl)
    vi.stubEnv('WEIR_SECRET', testSecret)
    const listed = await runWeir('webhooks', 'list', '--failed')
    const line = listed.out.split('\n').find((each) => each.includes(id))
    expect(line).toMatch(/given up +\d+ +returned 500/)
    const all = await runWeir('webhooks', 'list', '--json')
    expect(JSON.parse(all.out)).toContainEqual(expect.objectContaining({ job: id, state: 'given up', tries: tried }))
    expect(receiver.calls).toHaveLength(tried)
  })

  it('[VIDEO-35] of one job is never under way twice, however many workers there are', async () => {
    const others = await Promise.all([world.startWorker(), world.startWorker()])
    let open = 0
    let most = 0
    const due: unknown[] = []
    const receiver = await receive(async (call, response) => {
      open += 1
      most = Math.max(most, open)
      // A delivery in progress is not due for another worker.
      due.push(...(await dueCalls(world.pool, receiver.url)))
      open -= 1
      if (receiver.calls.length < 6) response.writeHead(500).end()
      else await takeCall(call, response)
    })
    const id = await order(receiver.url)
    await eventually(async () => (await deliveryOf(world.pool, id))?.delivered_at instanceof Date, true)
    expect({ most, due, calls: receiver.calls.length }).toEqual({ most: 1, due: [], calls: 6 })
    for (const other of others) await other.stop()
  })
})

describe('webhooks of an account that has many', () => {
  it('[B4] are claimed so many at a time, and leave room for those of others', async () => {
    await using stack = new AsyncDisposableStack()
    const database = await createTestDatabase()
    stack.defer(() => database.drop())
    const queue = createWebhookQueue(database.pool, sealingKeyFrom(testSecret))
    const [flood, other] = [newUuid(Date.now()), newUuid(Date.now())]
    for (let count = 0; count < 10; count += 1) await addDelivery(database.pool, 'https://flood.example', flood)
    for (let count = 0; count < 2; count += 1) await addDelivery(database.pool, 'https://other.example', other)
    const claim = async (busyAccounts: string[]): Promise<string[]> => {
      const claimed = await queue.claim({ atMost: 8, perAccountMax: 3, busyAccounts }, 60_000)
      return claimed.map(({ walletId }) => walletId).toSorted()
    }
    expect(await claim([])).toEqual([flood, flood, flood, other, other].toSorted())
    expect(await claim([flood])).toEqual([])
    expect(await claim([other])).toEqual([flood, flood, flood])
  })
})

describe('a webhook whose worker sleeps', () => {
  it('[VIDEO-35] through its claim stays as the next worker has noted it', async () => {
    await using stack = new AsyncDisposableStack()
    const database = await createTestDatabase()
    stack.defer(() => database.drop())
    const queue = createWebhookQueue(database.pool, sealingKeyFrom(testSecret))
    await addDelivery(database.pool, 'https://example.com')
    const room = { atMost: 1, perAccountMax: 1, busyAccounts: [] }
    const [slept] = await queue.claim(room, 0)
    const [awake] = await queue.claim(room, 60_000)
    if (slept === undefined || awake === undefined) throw new Error('nothing was due')
    expect(awake.id).toBe(slept.id)
    await queue.failed(slept, { status: 500, error: 'returned 500', againInMs: 0 })
    expect(await queue.claim(room, 0)).toEqual([])
    await queue.delivered(awake, 204)
    await queue.failed(awake, { status: 500, error: 'returned 500', againInMs: 0 })
    expect(await queue.claim(room, 0)).toEqual([])
    expect(await listWebhooks(database.pool, { onlyFailed: true, limit: 10 })).toEqual([])
  })
})

it('[VIDEO-35] a call that was under way when its owner asked for another counts as one try', async () => {
  await using stack = new AsyncDisposableStack()
  const database = await createTestDatabase()
  stack.defer(() => database.drop())
  const queue = createWebhookQueue(database.pool, sealingKeyFrom(testSecret))
  await addDelivery(database.pool, 'https://example.com')
  const [underWay] = await queue.claim({ atMost: 1, perAccountMax: 1, busyAccounts: [] }, 60_000)
  if (underWay === undefined) throw new Error('nothing was due')
  // The effect of a redelivery request.
  await database.pool.query('UPDATE webhook_deliveries SET due_at = clock_timestamp(), attempts = 0')
  await queue.delivered(underWay, 204)
  const [listed] = await listWebhooks(database.pool, { onlyFailed: false, limit: 10 })
  expect(listed).toMatchObject({ tries: 1, lastStatus: 204 })
})

describe('a webhook whose worker dies', () => {
  it('[VIDEO-35] between the call and its note is sent again with the same id', async () => {
    await using stack = new AsyncDisposableStack()
    const world = await startVideoWorld('luma-agents', settings)
    stack.defer(() => world.close())
    await world.addModels([plainModel])
    const receiver = await startWebhookReceiver()
    stack.defer(() => receiver.close())
    const env = {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: world.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(world.databaseUrl),
      WEIR_WORKER_PORT: '0',
      WEIR_VIDEO_POLL_EVERY_MS: '30',
      WEIR_VIDEO_LOOK_EVERY_MS: '20',
      WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32',
      WEIR_FAILPOINTS: 'after-webhook=exit',
    }
    const mortal = await startServerProcess({ command: 'worker', env, dataFolder: world.dataDir })
    const caller = await world.createClient({ usd: '10' })
    const id = await world.submit(caller, { callback_url: receiver.url })
    await mortal.exited
    expect(receiver.calls).toHaveLength(1)
    expect(await deliveryOf(world.pool, id)).toMatchObject({ delivered_at: null, attempts: 1 })
    await world.startWorker()
    // The dead worker's claim ends.
    await makeDue(world.pool, id)
    await eventually(async () => (await deliveryOf(world.pool, id))?.delivered_at instanceof Date, true)
    const ids = receiver.calls.map(({ headers }) => headers['x-webhook-id'])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })
})

describe('a webhook to a name that came to lead elsewhere', () => {
  it('[VIDEO-19] [VIDEO-35] is judged again when it is sent: a name that turned private gets no connection', async () => {
    await using stack = new AsyncDisposableStack()
    const addresses = { now: '93.184.215.14' }
    const world = await startVideoWorld('luma-agents', settings, { resolveHost: async () => [addresses.now] })
    stack.defer(() => world.close())
    await world.addModels([plainModel])
    // Outside the networks that the operator has allowed.
    const inside = await startWebhookReceiver(takeCall, { host: '127.0.0.2' })
    stack.defer(() => inside.close())
    const caller = await world.createClient({ usd: '10' })
    const callback_url = `https://hooks.example.com:${new URL(inside.url).port}/in`
    const id = await world.submit(caller, { callback_url })
    addresses.now = '127.0.0.2'
    const refused = await world.call(caller, '/v1/videos', {
      body: { model: 'acme/film', prompt: 'a weir', callback_url },
    })
    expect(refused.status).toBe(400)
    await world.startWorker()
    await eventually(async () => ((await deliveryOf(world.pool, id))?.attempts ?? 0) >= 2, true)
    expect(await deliveryOf(world.pool, id)).toMatchObject({ delivered_at: null, last_status: null })
    expect(inside.connections).toBe(0)
  })
})

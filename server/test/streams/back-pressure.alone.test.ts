import { once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { lastPayload, openStream, startChat } from './stream-client.ts'

const frameBytes = 65_536
const frameCount = 800
// The kernel buffers data between the upstream and a client that does not read: some megabytes per connection.
const unreadBytesMax = 25_000_000

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

let world: MoneyWorld
/** The sent bytes of each response, in the order of the requests. */
const sentBytes: number[] = []
const source = createServer((_request, response) => {
  const index = sentBytes.push(0) - 1
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  pipeline(Readable.from(longStream(index), { highWaterMark: 1 }), response).catch(() => {})
})

beforeAll(async () => {
  world = await startMoneyWorld()
  source.listen(0, '127.0.0.1')
  await once(source, 'listening')
  const address = source.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await world.addProvider({ vendor: 'vllm', url: `http://127.0.0.1:${port}/v1`, pattern: 'openai/gpt-4o-mini' })
})
afterAll(async () => {
  source.closeAllConnections()
  source.close()
  await world.close()
})

beforeEach(() => {
  sentBytes.length = 0
})

it('a caller who does not read stops the upstream, and the gateway keeps little of it', async () => {
  const caller = await world.createClient({ usd: '1000' })
  const memoryBefore = bufferMemory()
  const client = await openStream(world.as(caller), wanted)
  client.pause()
  await readBesides()
  expect(sentBytes[0]).toBeLessThan(unreadBytesMax)
  // The first collection only marks passed data; its memory is freed a little later.
  await expect.poll(() => bufferMemory() - memoryBefore).toBeLessThan(2_000_000)
  expect(await world.walletOf(caller.walletId)).not.toMatchObject({ held: '0' })

  client.resume()
  const text = await client.end()
  expect(sentBytes[0]).toBeGreaterThan(50_000_000)
  expect(text.length).toBeGreaterThan(50_000_000)
  expect(text.match(/data: \{/g)).toHaveLength(frameCount + 1)
  expect(lastPayload(text)).toMatchObject({ usage: { prompt_tokens: 10, completion_tokens: 20 } })
  await world.expectSoundBooks()
})

it('a caller who leaves without having read anything frees the upstream as well', async () => {
  const caller = await world.createClient({ usd: '1000' })
  const client = await openStream(world.as(caller), wanted)
  client.pause()
  await readBesides()
  client.leave()
  await world.expectRefunded(caller, 'client_cancelled')
})

const wanted = { model: 'openai/gpt-4o-mini', max_tokens: 10 }

/**
 * Another client reads more of the same response than may be sent to a client that does not read, which gets the same
 * time.
 */
async function readBesides(): Promise<void> {
  const { response } = startChat(world.as(await world.createClient({ usd: '1000' })), { ...wanted, stream: true })
  let readBytes = 0
  for await (const piece of await response) {
    readBytes += Buffer.from(piece).length
    if (readBytes > unreadBytesMax) break
  }
  expect(readBytes).toBeGreaterThan(unreadBytesMax)
}

function* longStream(index: number): Generator<string> {
  const head = { id: 'up', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const frame = (rest: object): string => `data: ${JSON.stringify({ ...head, ...rest })}\n\n`
  const text = frame({ choices: [{ index: 0, delta: { content: 'x'.repeat(frameBytes) }, finish_reason: null }] })
  for (let sent = 0; sent < frameCount; sent += 1) {
    sentBytes[index] = (sentBytes[index] ?? 0) + text.length
    yield text
  }
  yield frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  yield frame({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } })
  yield 'data: [DONE]\n\n'
}

/** Live buffer memory: uncollected garbage says nothing about the gateway. */
function bufferMemory(): number {
  collectGarbage()
  const { external, arrayBuffers } = process.memoryUsage()
  return Math.max(external, arrayBuffers)
}

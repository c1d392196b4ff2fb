import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rawPost } from './raw-client.ts'
import { insertAfterWrites } from './scenarios/change-steps.ts'
import { faults } from './scenarios/faults.ts'
import { goodStream } from './scenarios/good-stream.ts'
import { jsonAnswer } from './scenarios/json-answer.ts'
import { spawnSimulator } from './spawn-simulator.ts'
import type { Simulator } from './start-simulator.ts'
import { startSimulator } from './start-simulator.ts'

const ask = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hei på deg' }] }

let simulator: Simulator

beforeEach(async () => {
  simulator = await startSimulator()
})

afterEach(() => simulator.close())

function textOfSteps(scenario: ReturnType<typeof goodStream>): string {
  return scenario.steps.flatMap((step) => (step.do === 'write' ? [step.text] : [])).join('')
}

describe('the bytes of a body', () => {
  test('every frame is a write of its own unless a scenario says otherwise', async () => {
    const scenario = goodStream({})
    simulator.play(scenario)
    const answer = await rawPost(simulator.url, ask)
    expect(answer.chunks.map(String)).toEqual(
      scenario.steps.flatMap((step) => (step.do === 'write' ? [step.text] : [])),
    )
    expect(answer.isComplete).toBe(true)
  })

  test('every byte can travel alone, also inside a character', async () => {
    const pieces = ['på ', '😀']
    simulator.play(faults.shaped({ split: 'every-byte' }, { pieces }))
    const answer = await rawPost(simulator.url, ask)
    expect(answer.body).toBe(textOfSteps(goodStream({ pieces })))
    expect(answer.chunks.every((chunk) => chunk.length === 1)).toBe(true)
  })

  test('cuts fall exactly at the given offsets and nowhere else', async () => {
    simulator.play(faults.shaped({ split: { at: [3, 10] } }))
    const answer = await rawPost(simulator.url, ask)
    const whole = Buffer.from(textOfSteps(goodStream({})))
    expect(answer.chunks.map((chunk) => chunk.length)).toEqual([3, 7, whole.length - 10])
    expect(answer.body).toBe(whole.toString())
  })

  test('CRLF, comments, a byte order mark and a missing last newline arrive as asked', async () => {
    simulator.play(faults.shaped({ crlf: true, comments: ': ping', bom: true, missingFinalNewline: true }))
    const { body } = await rawPost(simulator.url, ask)
    expect(body.startsWith('\uFEFF: ping\r\n\r\ndata: {')).toBe(true)
    expect(body.replaceAll('\r\n', '')).not.toMatch(/\n/)
    expect(body.endsWith('data: [DONE]')).toBe(true)
  })

  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('%s bodies decompress to the same text and are flushed frame by frame', async (encoding, decompress) => {
    simulator.play(faults.compressed(encoding))
    const answer = await rawPost(simulator.url, ask)
    expect(answer.head).toContain(`content-encoding: ${encoding}`)
    expect(decompress(Buffer.concat(answer.chunks)).toString()).toBe(textOfSteps(goodStream({})))
    expect(answer.chunks.length).toBeGreaterThanOrEqual(goodStream({}).steps.length - 2)
  })
})

describe('broken connections', () => {
  test('a reset in mid-stream is an RST after the text', async () => {
    simulator.play(faults.resetMidStream())
    const answer = await rawPost(simulator.url, ask)
    expect(answer.errorCode).toBe('ECONNRESET')
    expect(answer.isComplete).toBe(false)
    expect(simulator.requests[0]?.aborted).toBe(false)
  })

  test('a close in mid-stream delivers the text but not the end of the body', async () => {
    simulator.play(faults.closeMidStream())
    const answer = await rawPost(simulator.url, ask)
    expect(answer.errorCode).toBeNull()
    expect(answer.body).toContain('" world"')
    expect(answer.isComplete).toBe(false)
  })

  test('a truncated stream ends its body properly', async () => {
    simulator.play(faults.truncatedStream())
    const answer = await rawPost(simulator.url, ask)
    expect(answer.body).toContain('" world"')
    expect(answer.body).not.toMatch(/"finish_reason":"|\[DONE\]|prompt_tokens/)
    expect(answer.isComplete).toBe(true)
  })

  test('an empty body has a head and no bytes', async () => {
    simulator.play(faults.emptyBody())
    const answer = await rawPost(simulator.url, ask)
    expect(answer.head).toMatch(/^HTTP\/1.1 200/)
    expect(answer.body).toBe('')
    expect(answer.isComplete).toBe(true)
  })

  test('a reset before the request, a reset instead of an answer, garbage and a short body are told apart', async () => {
    simulator.play(faults.resetOnAccept())
    expect((await rawPost(simulator.url, ask)).errorCode).toMatch(/ECONNRESET|EPIPE/)
    expect(simulator.requests).toHaveLength(0)
    simulator.play(faults.resetBeforeHeaders())
    expect((await rawPost(simulator.url, ask)).errorCode).toBe('ECONNRESET')
    expect(simulator.requests).toHaveLength(1)
    simulator.play(faults.garbage())
    expect((await rawPost(simulator.url, ask)).bytes.toString()).toContain('this is not HTTP')
    simulator.play(faults.shortBody())
    const short = await rawPost(simulator.url, ask)
    expect(short.head).toContain('content-length: 4096')
    expect(short.isComplete).toBe(false)
  })

  test('an unasked 100 Continue precedes the real head', async () => {
    simulator.play(faults.unasked100Continue())
    const { bytes } = await rawPost(simulator.url, ask)
    expect(bytes.toString()).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/)
  })
})

describe('seeing the peer', () => {
  test('requests are recorded with head and body', async () => {
    await rawPost(simulator.url, ask, '/v1/chat/completions?x=1')
    expect(simulator.requests).toMatchObject([
      { method: 'POST', path: '/v1/chat/completions?x=1', body: ask, rawBody: JSON.stringify(ask), aborted: false },
    ])
    expect(simulator.requests[0]?.headers['content-type']).toBe('application/json')
  })

  test.each([
    ['stalls before the head', faults.stallBeforeHeaders()],
    ['stalls after the role', faults.roleOnlyThenStall()],
    ['drips', faults.drip({ delayMs: 3_600_000 })],
    ['writes more than the peer reads', faults.hugeChunk(20_000_000)],
  ])('an early close of the peer is seen while the simulator %s', async (_, scenario) => {
    simulator.play(scenario)
    const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1')
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}')
    await simulator.waitForRequests(1)
    expect(simulator.openConnections()).toBe(1)
    expect(simulator.requests[0]?.aborted).toBe(false)
    socket.destroy()
    await simulator.waitForAbort(0)
    await simulator.waitForAbort()
    expect(simulator.requests[0]?.aborted).toBe(true)
  })

  test('a peer that leaves while it uploads is recorded as aborted', async () => {
    const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1')
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half')
    await once(socket, 'connect')
    socket.end()
    await simulator.waitForAbort(0)
    expect(simulator.requests[0]).toMatchObject({ rawBody: '{"half', body: null, aborted: true })
  })

  test('a simulator closes although connections are open and stalled', async () => {
    simulator.play(faults.stallBeforeHeaders())
    const answer = rawPost(simulator.url, ask)
    await simulator.waitForRequests(1)
    await simulator.close()
    expect((await answer).head).toBe('')
    expect(simulator.openConnections()).toBe(0)
    expect((await rawPost(simulator.url, ask)).errorCode).toBe('ECONNREFUSED')
  })
})

describe('direction', () => {
  test('each of many calls at once is answered by its mark, and the moments of its waits are kept', async () => {
    const wait = { do: 'wait', delayMs: 5 } as const
    const late = jsonAnswer(200, { text: 'late' })
    const marks = { '<a>': jsonAnswer(200, { text: 'first' }), '<b>': { ...late, steps: [wait, ...late.steps] } }
    simulator.play({ kind: 'by-mark', marks })
    const said = ['<b>', '<a>', 'nothing'].map(async (content) => {
      const { bytes } = await rawPost(simulator.url, { ...ask, messages: [{ role: 'user', content }] })
      return bytes.toString()
    })
    expect(await Promise.all(said)).toEqual([
      expect.stringContaining('"late"'),
      expect.stringContaining('"first"'),
      expect.stringContaining('nothing'),
    ])
    const marked = simulator.requests.find(({ rawBody }) => rawBody.includes('<b>'))
    expect(marked?.waitedUntilMs).toHaveLength(1)
    expect(marked?.waitedUntilMs[0]).toBeGreaterThanOrEqual(marked?.receivedAtMs ?? Number.NaN)
  })

  test('queued scenarios play once each, before the default', async () => {
    simulator.play(faults.serverError(503))
    simulator.playNext(faults.rateLimited({ retryAfter: 7 }), { kind: 'echo' })
    const first = await rawPost(simulator.url, ask)
    expect(first.head).toMatch(/^HTTP\/1.1 429/)
    expect(first.head).toContain('retry-after: 7')
    expect((await rawPost(simulator.url, ask)).head).toMatch(/^HTTP\/1.1 200/)
    expect((await rawPost(simulator.url, ask)).head).toMatch(/^HTTP\/1.1 503/)
    simulator.playNext(faults.emptyBody())
    simulator.forget()
    expect(simulator.requests).toHaveLength(0)
    expect((await rawPost(simulator.url, ask)).head).toMatch(/^HTTP\/1.1 503/)
  })

  test('a gate holds the rest of the stream until it is released', async () => {
    simulator.play(insertAfterWrites(goodStream({}), 2, { do: 'gate', name: 'go' }))
    const arrived = Promise.withResolvers<string>()
    const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1')
    let seen = ''
    socket.on('data', (part) => {
      seen += part
      if (seen.includes('"Hel"')) arrived.resolve(seen)
    })
    socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}')
    await simulator.waitForGate('go')
    expect(await arrived.promise).not.toContain('"lo"')
    simulator.release('go')
    await once(socket, 'close')
    expect(seen).toContain('[DONE]')
  })

  test('a scenario survives JSON, so another process can be told to play it', async () => {
    const remote = await spawnSimulator()
    try {
      await remote.playNext(insertAfterWrites(goodStream({}), 1, { do: 'gate', name: 'go' }))
      const answer = rawPost(remote.url, ask)
      await remote.waitForRequests(1)
      await remote.waitForGate('go')
      await remote.release('go')
      expect((await answer).body).toBe(textOfSteps(goodStream({})))
      expect(await remote.requests()).toMatchObject([{ body: ask, aborted: false }])
      await remote.play(faults.serverError(529))
      expect((await rawPost(remote.url, ask)).head).toMatch(/^HTTP\/1.1 529/)
      await remote.forget()
      expect(await remote.requests()).toEqual([])
    } finally {
      await remote.close()
    }
  })
})

describe('transport of its own', () => {
  test('a self-signed certificate is refused by a client that checks', async () => {
    const secure = await startSimulator({ tls: 'self-signed' })
    try {
      expect(secure.url).toMatch(/^https:/)
      const failure: unknown = await fetch(secure.url).catch((error: unknown) => error)
      expect(failure).toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
    } finally {
      await secure.close()
    }
  })

  test('the fast scenario answers JSON of about 0.6 KB and streams of the asked length, and records nothing', async () => {
    const fast = await startSimulator({ scenario: { kind: 'fast', chunks: 5 }, record: false })
    try {
      const json = await rawPost(fast.url, { ...ask, stream: false })
      expect(json.body.length).toBeGreaterThan(500)
      expect(json.body.length).toBeLessThan(800)
      expect(JSON.parse(json.body)).toMatchObject({ object: 'chat.completion', usage: { prompt_tokens: 24 } })
      const stream = await rawPost(fast.url, ask)
      expect(stream.body.match(/"content":"word/g)).toHaveLength(5)
      expect(stream.body.endsWith('data: [DONE]\n\n')).toBe(true)
      expect(fast.requests).toHaveLength(0)
      fast.playNext(faults.serverError(503))
      expect((await rawPost(fast.url, ask)).head).toMatch(/^HTTP\/1.1 503/)
      fast.play({ kind: 'fast', chunks: 2, firstByteDelayMs: 1, chunkDelayMs: 1 })
      expect((await rawPost(fast.url, ask)).chunks).toHaveLength(6)
    } finally {
      await fast.close()
    }
  })
})

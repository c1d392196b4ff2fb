import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { noise } from '#test/simulators/media/audio/audio-bytes.ts'
import { openAiAudioUpstream, refusal, spokenBytes } from '#test/simulators/media/audio/openai-audio.ts'
import { pacedSpeech } from '#test/simulators/media/audio/paced-speech.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { tts } from './audio-models.ts'

const path = '/v1/audio/speech'
const body = { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' }

describe('speech on its way', () => {
  let world: MediaWorld
  let second: MediaUpstream
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiAudioUpstream)
    second = await startMediaUpstream(openAiAudioUpstream)
    await world.addModels([tts])
    await world.addProvider({ vendor: 'openai', name: 'second', url: `${second.url}/v1`, pattern: '*', priority: 1 })
  })
  afterAll(async () => {
    await second.close()
    await world.close()
  })
  beforeEach(async () => {
    second.calls.length = 0
    caller = await world.createClient()
  })

  const wallet = () => world.walletOf(caller.walletId)
  const lastGeneration = async () => {
    const { rows } = await world.pool.query(
      'SELECT refund_reason, cancelled, cost_nano FROM generations WHERE key_id = $1',
      [caller.keyId],
    )
    return rows
  }

  it('[AUDIO-07] the first bytes are with the caller before the last are made, and the last wait for the charge', async () => {
    const paced = pacedSpeech()
    world.upstream.play(paced.handler)
    const heard = listen(world, caller)
    const speaking = await paced.next()
    await speaking.send(noise(1_000))
    const answer = await heard
    expect(answer.headers['content-type']).toBe('audio/mpeg')
    await speaking.send(Buffer.from('middle'))
    expect((await read(answer, 1_000)).equals(noise(1_000))).toBe(true)
    expect(await wallet()).toMatchObject({ charged: '0', held: '0.000075' })
    await speaking.send(Buffer.from('end'))
    expect((await read(answer, 6)).toString()).toBe('middle')
    speaking.end()
    expect((await read(answer, 3)).toString()).toBe('end')
    expect(await wallet()).toMatchObject({ charged: '0.000075', held: '0' })
  })

  it('[AUDIO-07] an upstream is not read faster than its caller listens', async () => {
    const paced = pacedSpeech()
    world.upstream.play(paced.handler)
    const heard = listen(world, caller)
    const speaking = await paced.next()
    const chunk = noise(1_048_576)
    const chunks = 64
    let taken = 0
    const speech = (async () => {
      for (; taken < chunks; taken += 1) await speaking.send(chunk)
      speaking.end()
    })()
    const answer = await heard
    // No client reads: the buffers of both sockets and the gateway fill long before everything is sent.
    let before = -1
    await expect
      .poll(
        () => {
          const isStill = taken === before
          before = taken
          return isStill
        },
        { interval: 200 },
      )
      .toBe(true)
    expect(taken).toBeLessThan(chunks / 2)
    const length = await hearOut(answer)
    await speech
    expect(length).toBe(chunk.length * chunks)
    expect((await wallet()).charged).toBe('0.000075')
  })

  it('[AUDIO-09] a caller who leaves in the middle pays nothing, and the upstream is let go', async () => {
    const paced = pacedSpeech()
    world.upstream.play(paced.handler)
    const heard = listen(world, caller)
    const speaking = await paced.next()
    await speaking.send(noise(1_000))
    const answer = await heard
    answer.destroy()
    await speaking.closed
    await expect.poll(wallet, { interval: 10 }).toMatchObject({ charged: '0', held: '0' })
    expect(await lastGeneration()).toMatchObject([{ refund_reason: 'client_cancelled', cancelled: true }])
  })

  it('[AUDIO-09] an upstream that breaks off breaks the connection, costs nothing, and is remembered', async () => {
    const paced = pacedSpeech()
    world.upstream.play(paced.handler)
    const heard = listen(world, caller)
    const speaking = await paced.next()
    await speaking.send(noise(1_000))
    const answer = await heard
    speaking.breakOff()
    await expect(hearOut(answer)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await wallet()).toMatchObject({ charged: '0', held: '0' })
    expect(await lastGeneration()).toMatchObject([{ refund_reason: 'stream_interrupted', cancelled: false }])
    expect(second.calls).toEqual([])
  })

  it.each([
    ['fails', () => refusal(500, 'server_error')],
    ['says that it failed inside an answer with status 200', () => ({ body: { error: { message: 'no' } } })],
    ['sends a page', () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' })],
    ['sends nothing', () => ({ headers: { 'content-type': 'audio/mpeg' } })],
    ['has no money left', () => refusal(429, 'insufficient_quota')],
  ])('[AUDIO-07] another host speaks where the first one %s', async (_, handler) => {
    world.upstream.play(handler)
    const { status, bytes } = await world.post(caller, path, body)
    expect(status).toBe(200)
    expect(bytes.equals(spokenBytes)).toBe(true)
    expect(second.calls).toHaveLength(1)
    expect(await wallet()).toMatchObject({ charged: '0.000075', held: '0' })
  })

  it('[AUDIO-07] another host speaks where the first one closes before a byte', async () => {
    const paced = pacedSpeech()
    world.upstream.play(paced.handler)
    const reply = world.post(caller, path, body)
    const speaking = await paced.next()
    speaking.breakOff()
    expect((await reply).bytes.equals(spokenBytes)).toBe(true)
    expect(second.calls).toHaveLength(1)
  })

  it('[AUDIO-07] a refusal of the text itself is the answer', async () => {
    world.upstream.play(() => refusal(400, 'invalid_value', 'The voice is unknown.'))
    const { status, text } = await world.post(caller, path, body)
    expect(status).toBe(400)
    expect(text).toContain('The voice is unknown.')
    expect(second.calls).toEqual([])
    expect(await wallet()).toMatchObject({ charged: '0', held: '0' })
  })
})

describe('a host of speech that keeps breaking off', () => {
  it('[AUDIO-07] is left alone for a while', async () => {
    const paced = pacedSpeech()
    const world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, paced.handler, {
      WEIR_BREAKER_FAILURES: '2',
    })
    await world.addModels([tts])
    const caller = await world.createClient()
    for (let time = 0; time < 2; time += 1) {
      const heard = listen(world, caller)
      const speaking = await paced.next()
      await speaking.send(noise(1_000))
      const answer = await heard
      speaking.breakOff()
      await expect(hearOut(answer)).rejects.toMatchObject({ code: 'ECONNRESET' })
    }
    const { status } = await world.post(caller, path, body)
    expect(status).toBe(503)
    expect(world.upstream.calls).toHaveLength(2)
    await world.close()
  })
})

/** Resolves with the head of the response. */
async function listen({ url }: { url: string }, { key }: { key: string }): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const call = request(url + path, { method: 'POST', headers })
  call.end(JSON.stringify(body))
  const [answer] = await once(call, 'response')
  return answer
}

async function hearOut(answer: IncomingMessage): Promise<number> {
  let length = 0
  for await (const piece of answer) length += piece.length
  return length
}

async function read(answer: IncomingMessage, length: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let have = 0; have < length; ) {
    const piece: Buffer | null = answer.read()
    if (piece === null) await once(answer, 'readable')
    else {
      pieces.push(piece)
      have += piece.length
    }
  }
  return Buffer.concat(pieces)
}

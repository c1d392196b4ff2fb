import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { RealtimeAgent, RealtimeSession, OpenAIRealtimeWebSocket } from '@openai/agents/realtime'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { reportCases } from './report-cases.mjs'
import { baseURL, emptyKey, key, readGeneration, realtimeModel, url } from './surroundings.mjs'

const { hostname, port } = new URL(url)

/** OpenAI's client speaks TLS alone, and the gateway has none here: the socket goes there without it. */
const options = { createConnection: () => connect(Number(port), hostname) }

async function open(apiKey = key) {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
  const socket = new OpenAIRealtimeWS({ model: realtimeModel, options }, client)
  const events = []
  socket.on('event', (event) => events.push(event))
  await new Promise((resolve, reject) => {
    socket.on('session.created', resolve)
    socket.on('error', reject)
  })
  return { socket, events }
}

const say = (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

async function nextDone(socket) {
  return new Promise((resolve, reject) => {
    socket.on('response.done', resolve)
    socket.on('error', reject)
  })
}

await reportCases({
  'realtime: two turns of text, each with its cost and receipt': async () => {
    const { socket, events } = await open()
    const costs = []
    for (const text of ['Hello', 'And again']) {
      socket.send({ type: 'conversation.item.create', item: say(text) })
      socket.send({ type: 'response.create', response: { output_modalities: ['text'] } })
      const done = await nextDone(socket)
      assert.equal(done.response.status, 'completed')
      costs.push(done.response.usage.cost)
      const { total_cost: total } = await readGeneration(done.generation_id)
      assert.equal(total, done.response.usage.cost)
    }
    assert.deepEqual(costs, [0.0013536, 0.0013536])
    assert.equal(events[0].session.model, realtimeModel)
    const closed = once(socket.socket, 'close')
    socket.close()
    await closed
  },

  'realtime: two turns of audio, which detected speech starts': async () => {
    const { socket, events } = await open()
    for (let turn = 0; turn < 2; turn += 1) {
      socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(4_800).toString('base64') })
      socket.send({ type: 'input_audio_buffer.append', audio: Buffer.from('end of speech').toString('base64') })
      assert.equal((await nextDone(socket)).response.status, 'completed')
    }
    const heard = events.filter(({ type }) => type === 'response.output_audio.delta')
    assert.equal(heard.length, 2)
    socket.close()
  },

  'realtime: an account without credit is told so, and the session ends': async () => {
    const { socket } = await open(emptyKey)
    const closed = once(socket.socket, 'close')
    socket.send({ type: 'response.create' })
    const error = await nextDone(socket).catch((failure) => failure)
    assert.equal(error.error.code, 'insufficient_credits')
    const [code] = await closed
    assert.equal(code, 1008)
  },

  'realtime: two turns of an agent at its defaults': async () => {
    const transport = new OpenAIRealtimeWebSocket()
    const agent = new RealtimeAgent({ name: 'Greeter', instructions: 'Greet.' })
    const session = new RealtimeSession(agent, { transport, model: realtimeModel })
    const errors = []
    session.on('error', ({ error }) => errors.push(error))
    const address = `${url.replace('http', 'ws')}/v1/realtime?model=${encodeURIComponent(realtimeModel)}`
    await session.connect({ apiKey: key, url: address })
    for (let turn = 0; turn < 2; turn += 1) {
      const ended = new Promise((resolve) => transport.once('turn_done', resolve))
      session.sendMessage('Hello')
      await ended
    }
    assert.deepEqual(errors, [])
    assert.equal(session.usage.outputTokens, 26)
    session.close()
  },
})

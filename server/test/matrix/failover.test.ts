import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { clients } from './clients/clients.ts'
import { sampleTools } from './features.ts'
import { anthropicUpstream } from './upstreams/anthropic-upstream.ts'
import { bedrockUpstream } from './upstreams/bedrock-upstream.ts'

describe('an upstream that fails before a word, beside one of another protocol', () => {
  let gateway: TestGateway
  let claude: Simulator
  let bedrock: Simulator
  let caller: TestClient
  beforeAll(async () => {
    gateway = await startTestGateway()
    const pattern = anthropicUpstream.modelFor('text')
    claude = await startSimulator()
    bedrock = await startSimulator()
    await gateway.addProvider({ vendor: 'anthropic', url: claude.url, pattern, priority: 0 })
    await gateway.addProvider({ vendor: 'amazon-bedrock', url: bedrock.url, pattern, priority: 1 })
    caller = await gateway.createClient()
  })
  afterAll(async () => {
    await gateway.close()
    await claude.close()
    await bedrock.close()
  })
  beforeEach(() => {
    claude.forget()
    bedrock.forget()
  })

  const calls = clients.flatMap((client) =>
    [false, true].map((stream) => ({ client, stream, dialect: client.dialect })),
  )
  it.each(calls)('[STREAM-10] is replaced by it ($dialect, streamed: $stream)', async ({ client, stream }) => {
    claude.play(anthropicUpstream.play('mid-stream error', false))
    bedrock.play(bedrockUpstream.play('parallel tool calls', stream))
    const model = anthropicUpstream.modelFor('text')
    const asked = { ...client.ask('text', sampleTools), model, stream }
    const response = await gateway.as(caller).post(client.path, asked)
    const { text } = response
    expect(response.status, text).toBe(200)
    const heard = client.hear({ status: 200, headers: response.headers, text, isStream: stream })
    expect(heard.calls).toEqual(bedrockUpstream.said('parallel tool calls').calls)
    expect(heard.usage?.cost).toBe(bedrockUpstream.costUsd('parallel tool calls'))
    expect(bedrock.requests).toHaveLength(1)
    // A success here keeps its circuit closed for the next request.
    claude.play(anthropicUpstream.play('text', false))
    const messages = [{ role: 'user', content: 'Hello' }]
    await gateway.as(caller).post('/v1/messages', { messages, max_tokens: 100, model })
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { moderationTestPhrase } from '#test/moderation/test-phrase.ts'
import type { TestHome } from '#test/organizations/organization-world.ts'
import { hello, type RealtimeWorld, startRealtimeWorld } from './realtime-world.ts'

const itemOf = (text: string): JsonObject => ({
  type: 'conversation.item.create',
  event_id: 'mine',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})

describe('the content of realtime sessions', () => {
  let world: RealtimeWorld
  let home: TestHome
  let key: string
  beforeAll(async () => {
    world = await startRealtimeWorld()
    home = await world.newOrganization()
    ;({ key } = await world.addOrganizationKey(home.id))
    await world.credit(home.walletId, '50')
    for (const [keyword, action] of [
      ['falcon', 'redact'],
      ['forbidden', 'block'],
    ]) {
      const rule = { name: keyword, action, matcher: { kind: 'keyword', keyword } }
      expect((await home.admin.post(`/api/orgs/${home.id}/content-filters`, rule)).status).toBe(201)
    }
  })
  beforeEach(() => {
    world.upstream.play({})
    world.upstream.received.length = 0
  })
  afterAll(() => world.close())

  const received = (type: string) => world.upstream.received.filter((event) => event.type === type)

  it('[NEXT-209] is read by filters before the upstream gets it', async () => {
    const session = await world.open(key)
    session.send(itemOf('my falcon'))
    session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Say falcon.' } })
    session.send(itemOf('a forbidden word'))
    session.send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: 'call_1', output: 'forbidden' },
    })
    session.send({ type: 'response.create', response: { instructions: 'forbidden' } })
    session.send({
      type: 'response.create',
      response: { instructions: 'a falcon', input: [itemOf('falcon').item ?? null] },
    })
    await session.next('response.done')
    expect(session.events.filter(({ type }) => type === 'error')).toMatchObject([
      { error: { code: 'content_filter', event_id: 'mine' } },
      { error: { code: 'content_filter' } },
      { error: { code: 'content_filter' } },
    ])
    expect(received('conversation.item.create')).toMatchObject([
      { item: { content: [{ type: 'input_text', text: 'my [REDACTED]' }] } },
    ])
    expect(received('session.update')[1]).toMatchObject({ session: { instructions: 'Say [REDACTED].' } })
    expect(received('response.create')).toMatchObject([
      { response: { instructions: 'a [REDACTED]', input: [{ content: [{ text: '[REDACTED]' }] }] } },
    ])
    await session.close()
  })

  it('[NEXT-209] is refused if it is too deep to be written again, and the session goes on', async () => {
    const session = await world.open(key)
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    session.sendText(`{"type":"response.create","response":{"metadata":${deep}}}`)
    session.sendText(`{"type":"response.create","response":{"tool_choice":${deep}}}`)
    session.send({ type: 'response.create' })
    await session.next('response.done')
    expect(session.events.filter(({ type }) => type === 'error')).toHaveLength(2)
    expect(received('response.create')).toHaveLength(1)
    await session.close()
  })

  it("[NEXT-209] is read by the operator's moderation before the upstream gets it", async () => {
    const client = await world.createClient({ usd: '5' })
    const session = await world.open(client.key)
    session.send(itemOf(moderationTestPhrase))
    expect(await session.next('error')).toMatchObject({ error: { code: 'content_filter' } })
    session.send(hello)
    await session.next('conversation.item.added')
    expect(received('conversation.item.create')).toEqual([hello])
    await session.close()
  })

  it('[NEXT-208] obeys the allowed models of the organization', async () => {
    const other = await world.newOrganization()
    const limited = await world.addOrganizationKey(other.id)
    const reply = await other.admin.patch(`/api/orgs/${other.id}/allowed-models`, {
      allowedModels: ['test/echo'],
    })
    expect(reply.status, reply.text).toBeLessThan(300)
    await expect(world.open(limited.key)).rejects.toThrow('model_not_allowed')
  })

  it.each<[string, JsonObject]>([
    [
      'hosted tools',
      { type: 'session.update', session: { type: 'realtime', tools: [{ type: 'mcp', server_label: 'x' }] } },
    ],
    ['stored prompts', { type: 'session.update', session: { type: 'realtime', prompt: { id: 'pmpt_1' } } }],
    ['unknown settings', { type: 'session.update', session: { type: 'realtime', later: true } }],
    ['sessions of another type', { type: 'session.update', session: { type: 'transcription' } }],
    [
      'responses after silence',
      {
        type: 'session.update',
        session: {
          type: 'realtime',
          audio: { input: { turn_detection: { type: 'server_vad', idle_timeout_ms: 5_000 } } },
        },
      },
    ],
    [
      'custom voices',
      { type: 'session.update', session: { type: 'realtime', audio: { output: { voice: { id: 'voice_1' } } } } },
    ],
    [
      'images',
      {
        type: 'conversation.item.create',
        item: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA==' }],
        },
      },
    ],
    ['approvals of hosted tools', { type: 'conversation.item.create', item: { type: 'mcp_approval_response' } }],
    ['stored prompts of a response', { type: 'response.create', response: { prompt: { id: 'pmpt_1' } } }],
    ['a cap of zero', { type: 'response.create', response: { max_output_tokens: 0 } }],
    ['unknown events', { type: 'transcription_session.update', session: {} }],
    ['events without a type', {}],
    ['ids of the gateway', { type: 'input_audio_buffer.commit', event_id: 'weir_1' }],
    ['instructions that filters cannot read', { type: 'response.create', response: { instructions: ['Hi'] } }],
  ])('[NEXT-210] %s are rejected', async (_name, event) => {
    const session = await world.open(key)
    session.send(event)
    expect(await session.next('error')).toMatchObject({ error: { type: 'invalid_request_error' } })
    session.send(hello)
    await session.next('conversation.item.added')
    expect(world.upstream.received.map(({ type }) => type)).toEqual(['session.update', 'conversation.item.create'])
    await session.close()
  })

  it('[NEXT-210] goes to the upstream without tracing and transcription', async () => {
    const session = await world.open(key)
    // The defaults of OpenAI's Agents SDK.
    const audio = {
      input: {
        format: { type: 'audio/pcm', rate: 24_000 },
        noise_reduction: null,
        transcription: { model: 'gpt-4o-mini-transcribe' },
        turn_detection: { type: 'semantic_vad' },
      },
      output: { format: { type: 'audio/pcm', rate: 24_000 }, speed: 1 },
    }
    const settings = { type: 'realtime', model: 'gpt-realtime', output_modalities: ['audio'], tools: [] }
    session.send({ type: 'session.update', session: { ...settings, audio, tracing: 'auto' } })
    expect(await session.next('session.updated')).toMatchObject({
      session: { model: 'openai/gpt-realtime', tracing: null, audio: { input: { transcription: null } } },
    })
    const { session: sent } = received('session.update')[1] ?? {}
    expect(sent).toEqual({
      type: 'realtime',
      output_modalities: ['audio'],
      tools: [],
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          noise_reduction: null,
          turn_detection: { type: 'semantic_vad', create_response: false },
        },
        output: audio.output,
      },
    })
    await session.close()
  })

  it.each([
    ['text that is no JSON', 'hello'],
    ['JSON that is no object', '[]'],
  ])('[NEXT-210] answers %s', async (_name, text) => {
    const session = await world.open(key)
    session.sendText(text)
    expect(await session.next('error')).toMatchObject({ error: { code: '400' } })
    await session.close()
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { importModels } from '#test/money/import-models.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'
import { responsesDocument } from '#test/simulators/protocols/responses/responses-document.ts'
import { responsesError } from '#test/simulators/protocols/responses/responses-error.ts'
import { responsesStream, streamOf } from '#test/simulators/protocols/responses/responses-stream.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { at, bodySeenBy, listAt } from './dialect-world.ts'

const pricing = { prompt: '0.00001', completion: '0.0001', cache_read: '0.000001' }
const usage = { prompt: 100, completion: 40, cached: 30, reasoning: 10 }
const hello = { kind: 'text', pieces: ['Hel', 'lo'], usage } as const
const tool = { name: 'get_time', parameters: { type: 'object', properties: {} } }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pdf = `data:application/pdf;base64,${Buffer.from('%PDF-1.4').toString('base64')}`

describe('a model that is sold through Responses alone', () => {
  let gateway: TestGateway
  let openai: Simulator
  let caller: TestClient
  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '100000' })
    openai = await startSimulator({ strict: 'openai-responses' })
    await importModels(
      gateway.pool,
      ['openai/o9-pro', 'openai/gpt-4z'].map((id) => ({
        id,
        provider: 'openai',
        pricing,
        maxCompletionTokens: 8_000,
        reasons: true,
        callsTools: true,
        inputs: ['text', 'image', 'file'],
        offers: [{ provider: 'openai', pricing, api: 'responses' }],
      })),
    )
    await gateway.addProvider({ vendor: 'openai', url: `${openai.url}/v1` })
    await gateway.gateway.refresh()
    caller = await gateway.createClient()
  })
  afterAll(async () => {
    await gateway.close()
    await openai.close()
  })
  beforeEach(() => {
    openai.forget()
    openai.play({ kind: 'by-request', stream: responsesStream(hello), json: responsesDocument(hello) })
  })

  const post = (path: string, body: JsonObject): Promise<Reply> => gateway.as(caller).post(path, body)

  const chat = (body: JsonObject): Promise<Reply> =>
    post('/v1/chat/completions', { model: 'openai/o9-pro', messages: [{ role: 'user', content: 'Hi' }], ...body })
  const responses = (body: JsonObject): Promise<Reply> =>
    post('/v1/responses', { model: 'openai/o9-pro', input: 'Hi', ...body })
  const messages = (body: JsonObject): Promise<Reply> =>
    post('/v1/messages', {
      model: 'openai/o9-pro',
      max_tokens: 500,
      messages: [{ role: 'user', content: 'Hi' }],
      ...body,
    })

  async function seenAfter(sent: Promise<Reply>): Promise<JsonObject> {
    const reply = await sent
    expect(reply.status, reply.text).toBe(200)
    return bodySeenBy(openai)
  }

  it('is asked at its own path, statelessly, with its cap and for thoughts that can come back', async () => {
    const body = await seenAfter(chat({ max_tokens: 900, reasoning_effort: 'high' }))
    expect(openai.requests[0]?.path).toBe('/v1/responses')
    expect(body).toEqual({
      model: 'o9-pro',
      input: [{ role: 'user', content: 'Hi' }],
      reasoning: { effort: 'high', summary: 'auto' },
      max_output_tokens: 900,
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: false,
    })
  })

  const everything: readonly (readonly [about: string, ask: () => Promise<Reply>, ignored: string])[] = [
    ['chat', () => chat({}), ''],
    [
      'chat with every way of sampling',
      () => chat({ temperature: 0.5, top_p: 0.9, top_k: 5, seed: 7, stop: ['x'], frequency_penalty: 1, n: 1 }),
      'frequency_penalty,seed,stop,temperature,top_k,top_p',
    ],
    ['chat with a tiny cap', () => chat({ max_tokens: 5 }), 'max_tokens'],
    [
      'chat with fields of OpenAI',
      () => chat({ user: 'u', service_tier: 'flex', prompt_cache_key: 'k', verbosity: 'low', logprobs: true }),
      'logprobs',
    ],
    [
      'chat with tools',
      () =>
        chat({
          tools: [{ type: 'function', function: tool }],
          tool_choice: { type: 'function', function: { name: 'get_time' } },
          parallel_tool_calls: false,
        }),
      '',
    ],
    [
      'chat with an image and a file',
      () =>
        chat({
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Look' },
                { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
                { type: 'file', file: { filename: 'a.pdf', file_data: pdf } },
              ],
            },
          ],
        }),
      '',
    ],
    [
      'chat with a model that does not think',
      () => chat({ model: 'openai/gpt-4z', temperature: 0.5, reasoning_effort: 'low' }),
      '',
    ],
    [
      'messages with thinking',
      () => messages({ thinking: { type: 'enabled', budget_tokens: 2_000 }, top_k: 3 }),
      'top_k',
    ],
    [
      'messages with a tool',
      () => messages({ tools: [{ name: 'get_time', input_schema: tool.parameters }], tool_choice: { type: 'any' } }),
      '',
    ],
    ['responses', () => responses({}), ''],
    [
      'responses of an editor',
      () =>
        responses({
          store: false,
          background: true,
          previous_response_id: null,
          client_metadata: { a: 'b' },
          include: ['reasoning.encrypted_content'],
          prompt_cache_key: 'k',
          tools: [{ type: 'web_search' }, { type: 'namespace', name: 'n', tools: [] }, { type: 'function', ...tool }],
          tool_choice: { type: 'web_search' },
          stream_options: { include_usage: true },
        }),
      'tools.web_search',
    ],
    [
      'responses with words of chat and of the gateway',
      () =>
        responses({
          temperature: 0.2,
          seed: 7,
          stop: 'x',
          max_output_tokens: 3,
          reasoning: { max_tokens: 20_000, exclude: true },
          response_format: { type: 'json_schema', json_schema: { name: 'a', schema: tool.parameters } },
          tools: [{ type: 'function', function: tool, cache_control: { type: 'ephemeral' } }],
          tool_choice: { type: 'function', function: { name: 'get_time' } },
          provider: { order: ['openai'] },
          max_cost_usd: 100,
        }),
      'max_output_tokens,seed,stop,temperature',
    ],
    [
      'responses with a model that does not think',
      () => responses({ model: 'openai/gpt-4z', reasoning: { effort: 'low' } }),
      '',
    ],
  ]
  it.each(everything)('takes %s, though it refuses all that it does not know', async (_about, ask, ignored) => {
    const reply = await ask()
    expect(reply.status, reply.text).toBe(200)
    const named = reply.headers.get('x-params-ignored')?.split(', ').sort().join(',') ?? ''
    expect(named).toBe(ignored)
  })

  it('sends nothing of the operator to who names it by an id', async () => {
    const body = await seenAfter(
      responses({
        prompt: { id: 'pmpt_1' },
        conversation: 'conv_1',
        tools: [
          { type: 'file_search', vector_store_ids: ['vs_1'] },
          { type: 'mcp', server_url: 'https://x.example' },
        ],
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Read' },
              { type: 'input_file', file_id: 'file_1' },
              { type: 'input_image', file_id: 'file_2' },
            ],
          },
        ],
      }),
    )
    expect(JSON.stringify(body)).not.toMatch(/pmpt_1|conv_1|vs_1|x\.example|file_1|file_2/)
    expect(body.input).toEqual([{ role: 'user', content: [{ type: 'input_text', text: 'Read' }] }])
  })

  it('gets what a Responses client wrote as it was written, new fields too', async () => {
    openai.play(responsesDocument(hello))
    const input = [
      { role: 'developer', content: 'Be brief.' },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
      { role: 'user', content: [{ type: 'input_text', text: 'Go on' }] },
    ]
    const tools = [{ type: 'custom', name: 'patch', description: 'Patches.', format: { type: 'text' } }]
    const asked = { input, tools, text: { verbosity: 'low' }, truncation: 'auto', max_tool_calls: 3 }
    expect(await seenAfter(responses(asked))).toMatchObject(asked)
  })

  it('answers a Responses client in its own words, under our id and model, with the cost', async () => {
    const reply = await responses({})
    const output = [{ id: 'msg_sim0', type: 'message', status: 'completed', role: 'assistant' }]
    // 70 × 10 + 30 × 1 + 40 × 100 dollars per million.
    const cost = 0.00473
    expect(reply.json).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'openai/o9-pro',
      output,
      error: null,
      usage: { input_tokens: 100, output_tokens: 40, total_tokens: 140, cost },
    })
    expect(at(reply.json, 'id')).toMatch(/^resp_(?!sim)/)
    expect(at(reply.json, 'created_at')).not.toBe(1_790_000_000)
  })

  it('is charged for cached and reasoning tokens alike in every dialect', async () => {
    const before = await gateway.walletOf(caller.walletId)
    for (const ask of [chat, responses, messages]) {
      for (const stream of [false, true]) expect((await ask({ stream })).status).toBe(200)
    }
    await expect
      .poll(async () => parseUsd((await gateway.walletOf(caller.walletId)).charged) - parseUsd(before.charged))
      .toBe(parseUsd('0.02838'))
  })

  it.each([
    [
      'told flat',
      { type: 'error', code: 'server_error', message: 'It broke at sk-proj-abcdefghijklmnop.', param: null },
    ],
    [
      'told inside',
      { type: 'error', error: { type: 'server_error', code: 'server_error', message: 'It broke.', param: null } },
    ],
    [
      'told by the response',
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'server_error', message: 'It broke.' } },
      },
    ],
  ])('that fails in mid-stream, %s, ends every stream with an error and no charge', async (_, failure) => {
    const { steps } = responsesStream(hello)
    const frames = steps.flatMap((step) => (step.do === 'write' ? [step.text] : []))
    const begun = frames.slice(0, 6)
    openai.play(streamOf([...begun, `event: ${failure.type}\ndata: ${JSON.stringify(failure)}\n\n`]))
    const before = await gateway.walletOf(caller.walletId)
    for (const ask of [chat, responses, messages]) {
      const { text } = await ask({ stream: true })
      expect(text).toContain('Hel')
      expect(text).toMatch(/Nothing was charged\./)
      expect(text).not.toContain('sk-proj')
    }
    expect((await gateway.walletOf(caller.walletId)).charged).toBe(before.charged)
  })

  it('that is cut off ends every stream with an error', async () => {
    const { steps } = responsesStream(hello)
    const frames = steps.flatMap((step) => (step.do === 'write' ? [step.text] : []))
    openai.play(streamOf(frames.slice(0, -1)))
    expect((await responses({ stream: true })).text).toMatch(/event: response\.failed\ndata: .*"sequence_number":\d+/)
    expect((await chat({ stream: true })).text).toContain('"error"')
    expect((await messages({ stream: true })).text).toContain('event: error')
  })

  it.each([
    ['context-too-long', 400, 'context_too_long'],
    ['prompt-blocked', 403, 'content_moderation'],
  ] as const)('that answers %s is read as any other upstream', async (cause, status, code) => {
    openai.play(responsesError(cause))
    const reply = await responses({})
    expect([reply.status, at(reply.json, 'error.code')]).toEqual([status, code])
  })

  it('keeps its thoughts, which return to it byte for byte from every dialect', async () => {
    const thought = { type: 'reasoning', id: 'rs_1', summaries: [['I see.']], encrypted: 'gAAAAB+/==' } as const
    const answer = { kind: 'items', items: [thought, { type: 'message', pieces: ['Hi'] }], usage } as const
    openai.play({ kind: 'by-request', stream: responsesStream(answer), json: responsesDocument(answer) })
    const sealed = [
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'I see.' }],
        encrypted_content: 'gAAAAB+/==',
      },
    ]

    const native = await responses({ reasoning: { effort: 'low', summary: 'auto' } })
    const next = [{ role: 'user', content: 'Hi' }, ...listAt(native.json, 'output'), { role: 'user', content: 'More' }]
    expect(thoughtsIn(await seenAfter(responses({ input: next })))).toEqual(sealed)

    const told = await chat({ reasoning_effort: 'low' })
    const turn = at(told.json, 'choices.0.message')
    const question = { role: 'user', content: 'More' }
    const history = [question, turn, question] as JsonObject[]
    expect(thoughtsIn(await seenAfter(chat({ messages: history })))).toEqual(sealed)

    const blocks = listAt((await messages({ thinking: { type: 'enabled', budget_tokens: 1_024 } })).json, 'content')
    const talk = [question, { role: 'assistant', content: blocks }, question]
    expect(thoughtsIn(await seenAfter(messages({ messages: talk })))).toEqual(sealed)
  })
})

function thoughtsIn(body: JsonObject): JsonObject[] {
  return listAt(body, 'input').filter(({ type }) => type === 'reasoning')
}

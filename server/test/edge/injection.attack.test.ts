import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { textOf } from '#test/setup/call-chat.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'

describe('an upstream that answers more than it was asked', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  it('adds no header and no frame through ids and names', async () => {
    world.openai.playNext(faults.headerInjection())
    const reply = await world.chat({ stream: true })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(reply.headers.get('x-request-id')).toMatch(/^req_\w{16,64}$/)
    expect(textOf(reply.chunks)).toBe('Hello world')
    for (const { id, model } of reply.chunks) {
      expect(id).toBe(reply.headers.get('x-generation-id'))
      expect(model).toBe('openai/gpt-5.2')
    }
    expect(reply.text.match(/\[DONE\]/g)).toHaveLength(1)
    expect(reply.text).not.toMatch(/set-cookie|\r|\u2028|\u2029|\0/)
  })

  it('passes on none of its headers, for documents and refusals alike', async () => {
    const headers = {
      'set-cookie': 'weir_session=stolen',
      'access-control-allow-origin': 'https://evil.example.com',
      'x-request-id': 'theirs',
      'x-generation-id': 'theirs',
      'x-ratelimit-remaining': '7',
      'clear-site-data': '"*"',
      location: 'https://evil.example.com',
      'openai-organization': 'our-organization',
    }
    const completion = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }
    world.openai.playNext(jsonAnswer(200, completion, headers), jsonAnswer(422, { error: { message: 'No.' } }, headers))
    for (const status of [200, 400]) {
      const reply = await world.chat({})
      expect(reply.status).toBe(status)
      const text = JSON.stringify([...reply.headers])
      expect(text).not.toMatch(/stolen|evil|theirs|clear-site|our-organization/)
      expect(reply.headers.get('x-ratelimit-remaining')).not.toBe('7')
    }
  })

  it('writes no frames of its own through an event of several lines', async () => {
    const head = '{"id":"a","object":"chat.completion.chunk","created":1,"model":"m",'
    const finish = '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
    const events = [
      `data: ${head}${delta('one')}\n\n`,
      `data: ${head}${delta('two')}\n\n`,
      // One event whose lines would be three if written verbatim.
      `data: ${head}${delta('three')}\ndata: \ndata: event: evil\ndata: data: {"forged":true}\n\n`,
      `data: ${head}\ndata: ${delta('four')}\n\n`,
      `data: ${head}${finish}\n\ndata: [DONE]\n\n`,
    ]
    world.openai.playNext({
      kind: 'steps',
      steps: [
        { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
        ...events.map((text) => ({ do: 'write' as const, text })),
        { do: 'end' },
      ],
    })
    const answer = (await world.chat({ stream: true })).text
    const frames = answer.split('\n\n').filter((frame) => frame !== '')
    for (const frame of frames) expect(frame).toMatch(/^(?:data: [^\n]*|: [^\n]*)$/)
    expect(answer).not.toMatch(/^event:/m)
    expect(answer).not.toContain('"forged":true')
  })

  it('shows its error text as one plain line, without secrets', async () => {
    const message =
      'Bad\r\nset-cookie: a=b\n\ndata: [DONE]\n\u001b[31mred\u001b[0m \u2028 key sk-proj-abcdef0123456789 for org-ABCDEF123'
    world.openai.playNext(jsonAnswer(422, { error: { message, type: 'invalid_request_error' } }))
    const reply = await world.chat({})
    expect(reply.status).toBe(400)
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(reply.text).not.toMatch(/\\r|\\n|\\u001b|\u2028|abcdef0123456789|ABCDEF123/)
  })
})

function delta(text: string): string {
  return `"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]}`
}

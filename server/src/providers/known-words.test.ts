import { describe, expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import type { NoteUnknown } from './note-unknown.ts'
import { protocolOf } from './protocols.ts'
import { noteChunk } from './protocols/openai/answer/known-words.ts'
import { vendorFixtures } from './protocols/openai/fixtures/vendor-fixtures.ts'
import { findVendor } from './registry.ts'

function read(slug: string, bytes: Buffer, stream: boolean): string[] {
  const vendor = findVendor(slug)
  assert(vendor !== undefined, `${slug} is known`)
  const protocol = protocolOf(vendor)
  const found: string[] = []
  const note: NoteUnknown = (kind, name) => found.push(`${kind} ${name}`)
  if (stream) {
    const reader = protocol.createStreamReader(vendor, note)
    reader.push(bytes)
    reader.end()
  } else protocol.readDocument(bytes, vendor, note)
  return found
}

function events(...list: JsonObject[]): Buffer {
  return Buffer.from(list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
}

const usage = { input_tokens: 1, output_tokens: 1 }
const message = { type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn', usage }

describe('what a provider sends that is new to us is named, of Messages', () => {
  it.each<[string, JsonObject, string[]]>([
    ['a member of its usage', { usage: { ...usage, moon_tokens: 5 } }, ['usage moon_tokens']],
    [
      'an inner member',
      { usage: { ...usage, server_tool_use: { moon_requests: 2 } } },
      ['usage server_tool_use.moon_requests'],
    ],
    ['a member that counts nothing', { usage: { ...usage, moon_tokens: 0, sun: null, star: '' } }, []],
    [
      'a compaction, which was not asked for',
      { usage: { ...usage, iterations: [{ type: 'compaction' }] } },
      ['usage iterations.compaction'],
    ],
    ['an iteration of its own', { usage: { ...usage, iterations: [{ type: 'message' }] } }, []],
    ['a block', { content: [{ type: 'moon' }] }, ['block moon']],
    ['a tool', { content: [{ type: 'server_tool_use', name: 'moon' }] }, ['tool moon']],
    ['a reason to stop', { stop_reason: 'moonrise' }, ['finish_reason moonrise']],
    ['nothing', {}, []],
  ])('%s', (_what, change, found) => {
    expect(read('anthropic', Buffer.from(JSON.stringify({ ...message, ...change })), false)).toEqual(found)
  })

  it('in a stream', () => {
    const bytes = events(
      { type: 'message_start', message: { ...message, usage: { ...usage, moon_tokens: 5 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'moon' } },
      { type: 'moon_phase' },
      { type: 'message_delta', delta: { stop_reason: 'moonrise' }, usage },
    )
    expect(read('anthropic', bytes, true)).toEqual([
      'usage moon_tokens',
      'block moon',
      'event moon_phase',
      'finish_reason moonrise',
    ])
  })
})

it('of chat completions', () => {
  const completion = {
    choices: [{ finish_reason: 'moonrise', message: { content: 'x', tool_calls: [{ type: 'moon_search' }] } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, moon_tokens: 5, prompt_tokens_details: { moon_tokens: 5 } },
  }
  const found = [
    'usage moon_tokens',
    'usage prompt_tokens_details.moon_tokens',
    'finish_reason moonrise',
    'tool moon_search',
  ]
  expect(read('together', Buffer.from(JSON.stringify(completion)), false)).toEqual(found)
  const [choice] = completion.choices
  const chunk = { ...completion, choices: [{ finish_reason: choice?.finish_reason, delta: choice?.message }] }
  expect(read('together', events(chunk), true)).toEqual(found)
})

it('of Responses', () => {
  const response = {
    status: 'incomplete',
    incomplete_details: { reason: 'moonrise' },
    output: [{ type: 'web_search_call' }, { type: 'message', content: [{ type: 'moon' }] }],
    usage: { ...usage, output_tokens_details: { moon_tokens: 5 } },
  }
  const end = ['usage output_tokens_details.moon_tokens', 'finish_reason moonrise']
  const vendor = findVendor('openai')?.onResponses
  assert(vendor !== undefined, 'OpenAI speaks Responses')
  const found: string[] = []
  const note: NoteUnknown = (kind, name) => found.push(`${kind} ${name}`)
  protocolOf(vendor).readDocument(Buffer.from(JSON.stringify(response)), vendor, note)
  expect(found.splice(0)).toEqual(['tool web_search_call', 'block moon', ...end])
  const reader = protocolOf(vendor).createStreamReader(vendor, note)
  reader.push(
    events(
      { type: 'response.moon.waning' },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'web_search_call' } },
      { type: 'response.incomplete', response },
    ),
  )
  expect(found).toEqual(['event response.moon.waning', 'tool web_search_call', ...end])
})

it('of Gemini', () => {
  const frame = {
    candidates: [{ finishReason: 'MOONRISE', content: { parts: [{ text: 'x' }, { executableCode: {} }] } }],
    usageMetadata: { promptTokenCount: 1, moonTokenCount: 5 },
  }
  const found = ['usage moonTokenCount', 'finish_reason MOONRISE', 'block executableCode']
  expect(read('google-ai-studio', Buffer.from(JSON.stringify(frame)), false)).toEqual(found)
  expect(read('google-ai-studio', events(frame), true)).toEqual(found)
})

it('of Bedrock', () => {
  const document = {
    output: { message: { content: [{ text: 'x' }, { moon: {} }, { toolUse: { type: 'server_tool_use' } }] } },
    stopReason: 'moonrise',
    usage: { inputTokens: 1, outputTokens: 1, serverToolUsage: { moonRequests: 1 } },
  }
  expect(read('amazon-bedrock', Buffer.from(JSON.stringify(document)), false)).toEqual([
    'block moon',
    'tool server_tool_use',
    'finish_reason moonrise',
    'usage serverToolUsage.moonRequests',
  ])
})

describe('usual answers have nothing new', () => {
  it.each(Object.entries(vendorFixtures))('of %s', (slug, fixture) => {
    const vendor = findVendor(slug)
    assert(vendor?.protocol === 'openai', `${slug} speaks chat completions`)
    const found: string[] = []
    for (const chunk of [...fixture.chunks(), fixture.completion()]) {
      noteChunk(chunk, vendor.openai, (kind, name) => found.push(`${kind} ${name}`))
    }
    expect(found).toEqual([])
  })

  it.each(Object.entries(anthropicAnswers))('of Claude: %s', (_name, answer) => {
    expect(read('anthropic', bytesOf(anthropicDocument(answer)), false)).toEqual([])
    expect(read('anthropic', bytesOf(anthropicStream(answer)), true)).toEqual([])
  })
})

function bytesOf({ steps }: StepsScenario): Buffer {
  return Buffer.from(steps.map((step) => (step.do === 'write' ? step.text : '')).join(''))
}

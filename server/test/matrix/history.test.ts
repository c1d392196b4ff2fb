import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { vendors } from '#providers/registry.ts'
import { type AnthropicAnswer } from '#test/simulators/protocols/anthropic/anthropic-answer.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { bedrockAnswers } from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import type { GeminiAnswer } from '#test/simulators/protocols/gemini/gemini-answer.ts'
import { geminiDocument } from '#test/simulators/protocols/gemini/gemini-document.ts'
import { geminiStream } from '#test/simulators/protocols/gemini/gemini-stream.ts'
import { clients } from './clients/clients.ts'
import { nextRequest } from './next-request.ts'
import { type Recording, recordingOf } from './read-answer.ts'
import { objectsIn } from './upstreams/json-path.ts'

interface Said {
  name: string
  streamed: Recording
  whole: Recording
  /** The model's output in its protocol's own format. */
  content: JsonObject[]
  /** The same in the request that continues the conversation. */
  replayed(body: JsonObject): JsonObject[]
}

function parsed({ bytes }: Recording): JsonObject {
  const value: unknown = JSON.parse(bytes.toString('utf8'))
  if (!isJsonObject(value)) throw new Error('no object')
  return value
}

const anthropicNames = [
  'text',
  'parallel-tools',
  'thinking-then-text',
  'thinking-then-tool',
  'thinking-not-shown',
  'redacted-thinking',
] as const

const bedrockNames = ['text', 'parallelTools', 'reasoning', 'reasoningThenTools', 'redacted', 'signatureOnly'] as const

const geminiAnswers: Readonly<Record<string, GeminiAnswer>> = {
  text: { kind: 'text', pieces: ['Hel', 'lo'] },
  'signed text': { kind: 'text', pieces: ['Hel', 'lo'], signature: 'c2ln+/==' },
  'thoughts and signed text': { kind: 'thoughts', thoughts: ['Hm'], pieces: ['Hel', 'lo'], signature: 'c2ln+/==' },
  'calls without ids': {
    kind: 'tools',
    calls: [
      { name: 'f', args: { a: 1 }, signature: 'c2ln+/==' },
      { name: 'f', args: { a: 2 } },
    ],
  },
  'text, then signed calls': {
    kind: 'tools',
    pieces: ['Look:'],
    calls: [
      { name: 'f', args: {}, id: 'x1', signature: 'c2ln+/==' },
      { name: 'g', args: { deep: { er: [1, null] } }, id: 'x2', signature: 'YW5vdGhlcg==' },
    ],
  },
}

const sayings: readonly Said[] = [
  ...anthropicNames.map((name): Said => {
    const answer: AnthropicAnswer = anthropicAnswers[name]
    const whole = recordingOf(vendors.anthropic, anthropicDocument(answer))
    return {
      name: `anthropic: ${name}`,
      streamed: recordingOf(vendors.anthropic, anthropicStream(answer)),
      whole,
      content: objectsIn(parsed(whole).content),
      replayed: (body) => objectsIn(objectsIn(body.messages)[1]?.content),
    }
  }),
  ...bedrockNames.map((name): Said => {
    const answer = bedrockAnswers[name]
    const whole = recordingOf(vendors['amazon-bedrock'], bedrockDocument(answer))
    return {
      name: `bedrock: ${name}`,
      streamed: recordingOf(vendors['amazon-bedrock'], bedrockStream(answer)),
      whole,
      content: objectsIn(objectAt(objectAt(parsed(whole), 'output'), 'message').content),
      replayed: (body) => objectsIn(objectsIn(body.messages)[1]?.content),
    }
  }),
  ...Object.entries(geminiAnswers).map(([name, answer]): Said => {
    const whole = recordingOf(vendors['google-ai-studio'], geminiDocument(answer))
    return {
      name: `gemini: ${name}`,
      streamed: recordingOf(vendors['google-ai-studio'], geminiStream(answer)),
      whole,
      content: objectsIn(objectsIn(parsed(whole).candidates).map((one) => objectAt(one, 'content'))[0]?.parts),
      replayed: (body) => objectsIn(objectsIn(body.contents)[1]?.parts),
    }
  }),
]

describe.each(sayings)('a conversation with $name', ({ streamed, whole, content, replayed }) => {
  it.each(clients)('[P17] returns to its upstream block by block as it was said ($dialect)', (client) => {
    for (const stream of [false, true]) {
      const body = nextRequest(stream ? streamed : whole, client, stream)
      expect(replayed(body)).toEqual(content)
      expect(JSON.stringify(body)).not.toContain('weir')
    }
  })
})

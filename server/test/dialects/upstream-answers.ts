import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import type { BedrockAnswer, BedrockBlock } from '#test/simulators/protocols/bedrock/bedrock-answer.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import type { GeminiAnswer } from '#test/simulators/protocols/gemini/gemini-answer.ts'
import { geminiDocument } from '#test/simulators/protocols/gemini/gemini-document.ts'
import { geminiStream } from '#test/simulators/protocols/gemini/gemini-stream.ts'
import { parseJson } from '#test/simulators/json-value.ts'
import { isJsonObject } from '#lib/json.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import type { Answer, ToolCall } from '#test/simulators/scenarios/answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import type { protocols } from './dialect-world.ts'

/** The output of a model, in any protocol. */
export type Said =
  | { kind: 'text'; pieces: readonly string[] }
  | { kind: 'length'; pieces: readonly string[] }
  | { kind: 'tools'; calls: readonly ToolCall[] }
  | { kind: 'reasoning'; thinking: readonly string[]; pieces: readonly string[] }

export const hello: Said = { kind: 'text', pieces: ['Hel', 'lo', ' there'] }
export const cut: Said = { kind: 'length', pieces: ['Hel'] }
export const thoughtful: Said = { kind: 'reasoning', thinking: ['Let me ', 'think.'], pieces: ['Hel', 'lo'] }
export const twoCalls: Said = {
  kind: 'tools',
  calls: [
    { id: 'call_oslo', name: 'get_weather', arguments: ['{"city":', '"Osl', 'o"}'] },
    { id: 'call_utc', name: 'get_time', arguments: ['{"zone":', '"UTC"}'] },
  ],
}

/** The response of an upstream with this protocol. */
export function answerOf(protocol: (typeof protocols)[number], said: Said, stream: boolean): Scenario {
  switch (protocol) {
    case 'openai':
      return stream ? vendorStream('openai', answer(said)) : vendorCompletion('openai', answer(said))
    case 'claude':
      return stream ? anthropicStream(answer(said)) : anthropicDocument(answer(said))
    case 'gemini':
      return stream ? geminiStream(geminiAnswer(said)) : geminiDocument(geminiAnswer(said))
    case 'bedrock':
      return stream ? bedrockStream(bedrockAnswer(said)) : bedrockDocument(bedrockAnswer(said))
  }
}

function answer(said: Said): Answer {
  return { ...said, usage: { prompt: 16, completion: 9 } }
}

function geminiAnswer(said: Said): GeminiAnswer {
  switch (said.kind) {
    case 'text':
    case 'length':
      return said
    case 'reasoning':
      return { kind: 'thoughts', thoughts: said.thinking, pieces: said.pieces }
    case 'tools':
      return {
        kind: 'tools',
        calls: said.calls.map(({ id, name, arguments: pieces }) => {
          const args = parseJson(pieces.join(''))
          return { id, name, args: isJsonObject(args) ? args : {} }
        }),
      }
  }
}

function bedrockAnswer(said: Said): BedrockAnswer {
  switch (said.kind) {
    case 'text':
      return { blocks: [said] }
    case 'length':
      return { blocks: [{ kind: 'text', pieces: said.pieces }], stopReason: 'max_tokens' }
    case 'reasoning':
      return {
        blocks: [
          { kind: 'reasoning', pieces: said.thinking, signature: 'c2lnbmVk' },
          { kind: 'text', pieces: said.pieces },
        ],
      }
    case 'tools':
      return {
        blocks: said.calls.map(({ id, name, arguments: input }): BedrockBlock => ({ kind: 'tool', id, name, input })),
      }
  }
}

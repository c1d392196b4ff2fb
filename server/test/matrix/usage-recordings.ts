import type { ProtocolName } from '#test/matrix/axes.ts'
import { vendors } from '#providers/registry.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import { geminiDocument } from '#test/simulators/protocols/gemini/gemini-document.ts'
import { geminiStream } from '#test/simulators/protocols/gemini/gemini-stream.ts'
import { responsesDocument } from '#test/simulators/protocols/responses/responses-document.ts'
import { responsesStream } from '#test/simulators/protocols/responses/responses-stream.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { openAiOnResponses } from './responses-host.ts'
import { type Recording, recordingOf } from './read-answer.ts'

/** The tokens of a response: `cached` of the prompt and `reasoning` of the completion. */
interface Tokens {
  readonly prompt: number
  readonly cached: number
  readonly completion: number
  readonly reasoning: number
}

/** A response with this usage, counted like its protocol. */
export const usageRecordings: Readonly<Record<ProtocolName, (tokens: Tokens, stream: boolean) => Recording>> = {
  openai: (usage, stream) => {
    const answer = { kind: 'text', pieces: ['Hello'], usage } as const
    return recordingOf(vendors.openai, stream ? vendorStream('openai', answer) : vendorCompletion('openai', answer))
  },
  anthropic: (usage, stream) => {
    const answer = { kind: 'text', pieces: ['Hello'], usage } as const
    return recordingOf(vendors.anthropic, stream ? anthropicStream(answer) : anthropicDocument(answer))
  },
  gemini: ({ prompt, cached, completion, reasoning }, stream) => {
    const usage = { prompt, cached, candidates: completion - reasoning, thoughts: reasoning }
    const answer = { kind: 'text', pieces: ['Hello'], usage } as const
    return recordingOf(vendors['google-ai-studio'], stream ? geminiStream(answer) : geminiDocument(answer))
  },
  bedrock: ({ prompt, cached, completion }, stream) => {
    const usage = { inputTokens: prompt - cached, cacheReadInputTokens: cached, outputTokens: completion }
    const answer = { blocks: [{ kind: 'text', pieces: ['Hello'] }], usage } as const
    return recordingOf(vendors['amazon-bedrock'], stream ? bedrockStream(answer) : bedrockDocument(answer))
  },
  responses: (usage, stream) => {
    const answer = { kind: 'text', pieces: ['Hello'], usage } as const
    return recordingOf(openAiOnResponses, stream ? responsesStream(answer) : responsesDocument(answer))
  },
}

import type { BedrockAnswer, BedrockBlock } from './bedrock-answer.ts'

/** The most common answers of tests. Signatures have characters that careless copying changes. */
export const thinkingSignature = 'EqQBCgIYAhIM+/=å1gUAAAAAAAAAAAAAA=='
export const redactedThinking = 'RW13S0FoZ0JFZ3kzdmEzcHp6L0o='

const hello: BedrockBlock = { kind: 'text', pieces: ['Hel', 'lo', ' wörld'] }
const oslo: BedrockBlock = { kind: 'tool', id: 'tooluse_a', name: 'get_weather', input: ['{"city":', '"Oslo"}'] }
const utc: BedrockBlock = { kind: 'tool', id: 'tooluse_b', name: 'get_time', input: ['{"zone"', ':"UTC"}'] }
const noInput: BedrockBlock = { kind: 'tool', id: 'tooluse_c', name: 'ping', input: [''] }
const thought: BedrockBlock = { kind: 'reasoning', pieces: ['Let me ', 'think.'], signature: thinkingSignature }
const redacted: BedrockBlock = { kind: 'redacted', base64: redactedThinking }

export const bedrockAnswers = {
  text: { blocks: [hello] },
  announcedText: { blocks: [hello], stream: { announcesText: true } },
  parallelTools: { blocks: [hello, oslo, utc, noInput] },
  interleavedTools: { blocks: [oslo, utc, noInput], stream: { interleaved: true } },
  reasoning: { blocks: [thought, hello] },
  reasoningThenTools: { blocks: [thought, redacted, oslo] },
  redacted: { blocks: [redacted, hello] },
  signatureOnly: { blocks: [{ kind: 'reasoning', pieces: [''], signature: thinkingSignature }, hello] },
  guardrail: { blocks: [{ kind: 'text', pieces: ['Sorry.'] }], stopReason: 'guardrail_intervened' },
  filtered: { blocks: [], stopReason: 'content_filtered' },
  length: { blocks: [hello], stopReason: 'max_tokens' },
  stopSequence: { blocks: [hello], stopReason: 'stop_sequence', stopSequence: 'END' },
  cached: {
    blocks: [hello],
    usage: {
      inputTokens: 10,
      outputTokens: 5,
      cacheReadInputTokens: 300,
      cacheWriteInputTokens: 70,
      cacheDetails: [
        { ttl: '5m', inputTokens: 50 },
        { ttl: '1h', inputTokens: 20 },
      ],
    },
  },
  metadataFirst: { blocks: [hello], stream: { metadataFirst: true } },
  noUsage: { blocks: [hello], usage: null },
} as const satisfies Record<string, BedrockAnswer>

/** Breaks off after some text; only a stream can. */
export const brokenBedrockAnswer: BedrockAnswer = {
  blocks: [hello],
  stream: { exception: { type: 'throttlingException', message: 'Too many requests' } },
}

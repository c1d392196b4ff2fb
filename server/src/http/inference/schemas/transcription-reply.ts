import { Type } from 'typebox'
import { ownKeyCost } from './own-key-cost.ts'
import { closed, count, passing, settledCost } from './shapes.ts'

const times = { start: Type.Number({ description: 'Start time in seconds.' }), end: Type.Number() }

const usage = closed('TranscriptionUsage', {
  type: Type.Enum(['duration', 'tokens']),
  seconds: Type.Optional(Type.Number()),
  input_tokens: Type.Optional(count()),
  output_tokens: Type.Optional(count()),
  total_tokens: Type.Optional(count()),
  input_token_details: Type.Optional(
    closed('TranscriptionInputTokens', { text_tokens: count(), audio_tokens: count() }),
  ),
  cost: settledCost,
  ...ownKeyCost,
})

export const transcriptionReply = closed('TranscriptionReply', {
  task: Type.Optional(Type.Enum(['transcribe', 'translate'])),
  text: Type.String(),
  language: Type.Optional(Type.String()),
  duration: Type.Optional(Type.Number({ description: 'Duration of the audio in seconds.' })),
  segments: Type.Optional(
    Type.Array(
      passing('TranscriptionSegment', {
        id: Type.Integer(),
        ...times,
        text: Type.String(),
        seek: Type.Number(),
        tokens: Type.Array(Type.Integer()),
        temperature: Type.Number(),
        avg_logprob: Type.Number(),
        compression_ratio: Type.Number(),
        no_speech_prob: Type.Number(),
      }),
    ),
  ),
  words: Type.Optional(Type.Array(passing('TranscriptionWord', { ...times, word: Type.String() }))),
  usage,
})

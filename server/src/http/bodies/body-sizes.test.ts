import { expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { transcriptionsDialect } from '#dialects/transcriptions/transcriptions-dialect.ts'
import { bodyBytesMaxOf } from './body-sizes.ts'

const sizes = { conversationBytesMax: 1, recordingBytesMax: 2, mediaBytesMax: 3 }

it.each([
  ['a conversation', { dialect: chatDialect }, 1],
  ['a recording', { dialect: transcriptionsDialect, takesRecordings: true }, 2],
  ['other media', { dialect: embeddingsDialect }, 3],
] as const)('[NEXT-160] limits the body of %s by its own setting', (_what, endpoint, bytesMax) => {
  expect(bodyBytesMaxOf(endpoint, sizes)).toBe(bytesMax)
})

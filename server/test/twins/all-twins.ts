import { audioTwins } from './calls/audio.ts'
import { chatCompletionTwins } from './calls/chat-completions.ts'
import { conversationTwins } from './calls/conversations.ts'
import { embeddingTwins } from './calls/embeddings.ts'
import { pictureTwins } from './calls/pictures.ts'
import { rerankTwins } from './calls/rerank.ts'
import { responsesTwins } from './calls/responses.ts'
import type { Twin } from './twin.ts'

/** Every call that an official SDK and our code both make. */
export const allTwins: readonly Twin[] = [
  ...chatCompletionTwins,
  ...conversationTwins,
  ...responsesTwins,
  ...embeddingTwins,
  ...rerankTwins,
  ...audioTwins,
  ...pictureTwins,
]

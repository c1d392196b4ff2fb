import { type OpenAiHost, openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { minimaxFailure } from './minimax-failure.ts'
import { minimaxSpeech } from './speech.ts'
import { minimaxVideos } from './videos.ts'

const both = {
  quirks: { thinkTags: true, findFailure: minimaxFailure, outputCapFor: () => 'max_completion_tokens' },
  media: { speech: minimaxSpeech, video: minimaxVideos },
} as const satisfies Partial<OpenAiHost>

export const minimax = openAiHost({
  slug: 'minimax',
  name: 'MiniMax',
  baseUrl: 'https://api.minimax.io/v1',
  ...both,
})

export const minimaxCn = openAiHost({
  slug: 'minimax-cn',
  name: 'MiniMax (China)',
  baseUrl: 'https://api.minimaxi.com/v1',
  ...both,
})

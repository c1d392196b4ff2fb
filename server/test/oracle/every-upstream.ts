import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import { openAiShaped } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import { mistralModerationUpstream } from '#test/simulators/media/moderations/moderation-upstream.ts'
import { rerankUpstream } from '#test/simulators/media/rerank/rerank-upstream.ts'
import { openAiShape } from '#test/simulators/media/videos/openai.ts'
import { OrderBook } from '#test/simulators/media/videos/order-book.ts'
import { playHost } from '#test/simulators/media/videos/play-host.ts'
import { tinyMovie } from '#test/simulators/media/videos/serve-movie.ts'
import type { MediaAnswer, MediaHandler } from '#test/simulators/start-media-upstream.ts'

/** OpenAI with all its products. */
export interface EveryUpstream {
  /** Always succeeds. */
  readonly handler: MediaHandler
  /** The received video orders. */
  readonly orders: OrderBook
}

export function createEveryUpstream(origin: () => string): EveryUpstream {
  const orders = new OrderBook()
  const [images, embeddings, movie] = [playOpenAiImages(), openAiShaped(), tinyMovie()]
  const videos = { shape: openAiShape, book: orders, key: 'upstream-secret', movie: () => movie, origin }
  const handler: MediaHandler = (call, response) => {
    const { path } = call
    if (path === '/v1/chat/completions') return chatAnswer(call.json.stream === true)
    if (path === '/v1/embeddings') return embeddings(call, response)
    if (path === '/v1/rerank') return rerankUpstream()(call, response)
    if (path === '/v1/moderations') return mistralModerationUpstream(call, response)
    if (path.startsWith('/v1/audio/')) return openAiAudioUpstream(call, response)
    if (path.startsWith('/v1/images/')) return images(call, response)
    return playHost(call, response, videos)
  }
  return { handler, orders }
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const answerHead = { id: 'chatcmpl-1', created: 1_757_321_139, model: 'talk' }

/** One word, as a document or a stream. */
function chatAnswer(isStreamed: boolean): MediaAnswer {
  if (!isStreamed) {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Grey.' }, finish_reason: 'stop' }]
    return { body: { ...answerHead, object: 'chat.completion', choices, usage } }
  }
  const delta = { role: 'assistant', content: 'Grey.' }
  const body = [
    chunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ usage }),
    'data: [DONE]\n\n',
  ]
  return { headers: { 'content-type': 'text/event-stream' }, body: body.join('') }
}

function chunk(rest: object): string {
  return `data: ${JSON.stringify({ ...answerHead, object: 'chat.completion.chunk', choices: [], ...rest })}\n\n`
}

import { ApiError } from '../../api/api-error.ts'

/** The tabs of the playground that call these paths. */
const tabs: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'Chat',
  '/v1/images/generations': 'Images',
  '/v1/audio/speech': 'Speech',
  '/v1/audio/transcriptions': 'Transcription',
  '/v1/embeddings': 'Embeddings',
  '/v1/rerank': 'Rerank',
  '/v1/videos': 'Video',
}

/** An error of the API with places of the console instead of the paths that a program would call. */
export function namePlaces(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, code, requestId, retryAfter } = error
  return new ApiError({ status, code, requestId, retryAfter, message: placesIn(error.message) })
}

function placesIn(message: string): string {
  return message
    .replaceAll(/Use (?:it with )?POST (\/v1\/[a-z/]+)/g, (advice, path: string) => {
      const tab = tabs[path]
      return tab === undefined ? advice : `Use it under ${tab}`
    })
    .replaceAll(/GET \/v1\/(?:images\/)?models(?:\?\S*)?/g, 'the Models page')
    .replaceAll(/(^|[.?!] )the Models page/g, '$1The Models page')
    .replaceAll(/ at GET \/v1\/generation\?id=[\w-]+/g, ' under Requests')
}

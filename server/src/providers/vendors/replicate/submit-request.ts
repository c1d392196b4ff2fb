import type { MediaJson } from '#domain/media/media-json.ts'
import type { MediaRequest } from '#providers/codecs/exchange-script.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/** A prediction of a model by its name, or of one of its versions. */
export function submitRequest(input: MediaJson & object, target: MediaTarget): MediaRequest {
  const [name = '', version] = target.upstreamModel.split(':')
  if (version !== undefined) return jsonRequest(target, '/predictions', { version, input })
  const model = name.split('/').map(encodeURIComponent).join('/')
  return jsonRequest(target, `/models/${model}/predictions`, { input })
}

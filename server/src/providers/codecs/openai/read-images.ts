import { noUsage } from '#domain/inference/usage.ts'
import type { MadeImage } from '#domain/media/media-result.ts'
import { countAt, isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { Exchange } from '../exchange-script.ts'
import { UnusableAnswerError, UpstreamRefusedError } from '../faults.ts'
import { madeImage } from '../images/made-image.ts'
import type { Turn } from '../images/make-in-turns.ts'
import type { TokenCount } from '../images/token-count.ts'
import { jsonOf } from '../media-request.ts'

/** An upstream's response: its images as bytes or as URLs, and its counts. */
export function readImages(exchange: Exchange): Turn {
  const answer = jsonOf(exchange, readFailure)
  // Some upstreams report a failure of their own upstream with status 200.
  if (isJsonObject(answer.error)) {
    throw new UpstreamRefusedError(readFailure(exchange.status, exchange.headers, exchange.body.toString('utf8')))
  }
  const list = answer.data ?? answer.images
  if (!Array.isArray(list)) throw new UnusableAnswerError('The upstream response has no array of images.')
  return { images: list.flatMap((item) => imageIn(item)), tokens: readImageTokens(objectAt(answer, 'usage')) }
}

function imageIn(item: unknown): MadeImage[] {
  if (typeof item === 'string') return [madeImage(item)]
  if (!isJsonObject(item)) return []
  const base64 = stringAt(item, 'b64_json') ?? stringAt(item, 'base64')
  if (base64 !== undefined && base64 !== '') return [{ kind: 'base64', base64 }]
  return typeof item.url === 'string' && item.url !== '' ? [madeImage(item.url)] : []
}

/** Undefined if nothing was counted, as with most upstreams that charge per image. */
function readImageTokens(usage: JsonObject): TokenCount | undefined {
  const input = countAt(usage, 'input_tokens') ?? countAt(usage, 'prompt_tokens') ?? 0
  const output = countAt(usage, 'output_tokens') ?? countAt(usage, 'completion_tokens') ?? 0
  if (input + output === 0) return undefined
  const inputDetails = { ...objectAt(usage, 'prompt_tokens_details'), ...objectAt(usage, 'input_tokens_details') }
  const outputDetails = { ...objectAt(usage, 'completion_tokens_details'), ...objectAt(usage, 'output_tokens_details') }
  // A part that exceeds its total is cut to it, so that nothing is counted twice.
  const inputImageTokens = Math.min(countAt(inputDetails, 'image_tokens') ?? 0, input)
  const words = input - inputImageTokens
  const cacheRead = Math.min(countAt(inputDetails, 'cached_tokens') ?? 0, words)
  // The output is an image, unless the upstream reports that some of it was text.
  const textOutput = Math.min(countAt(outputDetails, 'text_tokens') ?? 0, output)
  const classes = {
    ...noUsage,
    uncachedInput: words - cacheRead,
    cacheRead,
    textOutput,
    imageOutput: output - textOutput,
  }
  return { classes, inputImageTokens }
}

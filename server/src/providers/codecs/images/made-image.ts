import type { MadeImage } from '#domain/media/media-result.ts'
import type { JsonValue } from '#lib/json.ts'
import { UnusableAnswerError } from '../faults.ts'

/** An image that an upstream names by its URL, which may be a data URI. */
export function madeImage(address: JsonValue | undefined): MadeImage {
  if (typeof address !== 'string') throw new UnusableAnswerError('The upstream returned no image URL.')
  const data = /^data:[\w.+/-]{1,100};base64,/.exec(address.slice(0, 200))
  if (data !== null) return { kind: 'base64', base64: address.slice(data[0].length) }
  const isAddress = address.length <= addressLengthMax && /^https?:$/.test(URL.parse(address)?.protocol ?? '')
  if (!isAddress) throw new UnusableAnswerError('The upstream returned an invalid image URL.')
  return { kind: 'url', url: address }
}

const addressLengthMax = 8_192

import type { ImageSize } from './media-task.ts'

/** The parsed `size` of a client: pixels, a ratio or a name. */
type StatedSize =
  | { readonly kind: 'pixels'; readonly size: ImageSize }
  /** For example `16:9`. */
  | { readonly kind: 'ratio'; readonly ratio: string }
  /** For example `2K`, in capital letters. */
  | { readonly kind: 'resolution'; readonly resolution: string }
  /** Left to the model. */
  | { readonly kind: 'auto' }
  /** A provider-specific value. */
  | { readonly kind: 'other'; readonly text: string }
  /** Invalid pixels. */
  | { readonly kind: 'impossible' }

// More than any provider supports; without a bound, the price of its pixels would not fit the ledger's integers.
const sideMax = 16_384

export function parseImageSize(text: string): StatedSize {
  const stated = text.trim()
  if (stated === '' || stated.toLowerCase() === 'auto') return { kind: 'auto' }
  const pixels = /^(\d{1,6})\s*[x×*]\s*(\d{1,6})$/i.exec(stated)
  if (pixels !== null) {
    const size = { width: Number(pixels[1]), height: Number(pixels[2]) }
    const isPossible = [size.width, size.height].every((side) => side > 0 && side <= sideMax)
    return isPossible ? { kind: 'pixels', size } : { kind: 'impossible' }
  }
  if (ratioForm.test(stated)) return { kind: 'ratio', ratio: stated }
  return resolutionForm.test(stated)
    ? { kind: 'resolution', resolution: stated.toUpperCase() }
    : { kind: 'other', text: stated }
}

const ratioForm = /^\d{1,4}(?:\.\d{1,4})?:\d{1,4}(?:\.\d{1,4})?$/
const resolutionForm = /^(?:0\.5|\d)k$/i

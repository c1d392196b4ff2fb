import type { ImageSize } from './media-task.ts'

/** What a client's `size` says. Hosts state it in pixels, as a ratio or as a name, and so do clients. */
type StatedSize =
  | { readonly kind: 'pixels'; readonly size: ImageSize }
  /** Such as `16:9`. */
  | { readonly kind: 'ratio'; readonly ratio: string }
  /** Such as `2K`, in capitals. */
  | { readonly kind: 'resolution'; readonly resolution: string }
  /** Left to the model. */
  | { readonly kind: 'auto' }
  /** A word of some host's own. */
  | { readonly kind: 'other'; readonly text: string }
  /** Pixels that no image has. */
  | { readonly kind: 'impossible' }

// Beyond what any host makes; without a bound, the price of its pixels would not fit the ledger's integers.
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

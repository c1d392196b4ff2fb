import { type ImageType, sniffImage } from '#lib/sniff-media.ts'
import type { ImageSize } from './media-task.ts'
import { measureImage } from './measure-image.ts'

/** The inspected parts of a file: its beginning, up to `measuredBytesMax`, and its end, of `tailBytes`. */
export interface ImageEnds {
  readonly head: Buffer
  readonly tail: Buffer
  readonly byteCount: number
}

type ImageVerdict =
  | { readonly isImage: true; readonly type: ImageType; readonly size: ImageSize }
  | { readonly isImage: false; readonly why: string }

export const tailBytes = 64

/**
 * Whether bytes are an image that the gateway may serve. They must begin as an image, have a size, and end where the
 * format ends, so that truncated images and polyglot files (with an appended page or archive) are rejected.
 */
export function judgeImage({ head, tail, byteCount }: ImageEnds): ImageVerdict {
  const type = sniffImage(head)
  if (type === undefined) return refused('an unknown image format')
  const size = measureImage(type, head)
  if (size === null) return refused(`an ${type} without dimensions`)
  if (!endsAs(type, { head, tail, byteCount })) return refused(`a truncated ${type}`)
  return { isImage: true, type, size }
}

function endsAs(type: ImageType, { head, tail, byteCount }: ImageEnds): boolean {
  switch (type) {
    case 'image/png':
      return tail.subarray(-12).equals(pngEnd)
    case 'image/jpeg':
      return withoutPadding(tail).subarray(-2).equals(jpegEnd)
    case 'image/gif':
      return withoutPadding(tail).at(-1) === 0x3b
    case 'image/webp':
      // The count in the header excludes itself and the four letters before it.
      return head.readUInt32LE(4) + 8 === byteCount
  }
}

const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex')
const jpegEnd = Buffer.from('ffd9', 'hex')

/** Some encoders pad with zeros. */
function withoutPadding(tail: Buffer): Buffer {
  let end = tail.length
  while (end > 0 && tail[end - 1] === 0) end -= 1
  return tail.subarray(0, end)
}

function refused(why: string): ImageVerdict {
  return { isImage: false, why }
}

/** The image type by the first bytes, or undefined if it is none of these. Names and declared types are never used. */
export function sniffImage(head: Buffer): ImageType | undefined {
  if (head.subarray(0, 8).equals(pngMark)) return 'image/png'
  if (head.subarray(0, 3).equals(jpegMark)) return 'image/jpeg'
  const text = head.toString('latin1', 0, 12)
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'image/webp' : undefined
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** Number of bytes needed. */
export const sniffBytes = 12

const pngMark = Buffer.from('89504e470d0a1a0a', 'hex')
const jpegMark = Buffer.from('ffd8ff', 'hex')

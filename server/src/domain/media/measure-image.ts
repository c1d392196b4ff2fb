import type { ImageType } from '#lib/sniff-media.ts'
import type { ImageSize } from './media-task.ts'

/** Width and height from the first bytes of an image; null if they are missing or invalid. */
export function measureImage(type: ImageType, head: Buffer): ImageSize | null {
  const size = sizeOf(type, head)
  return size !== null && isSide(size.width) && isSide(size.height) ? size : null
}

// The maximum of a JPEG. Larger images cannot be displayed, but would still be charged by the pixel.
const sideMax = 65_535

function isSide(pixels: number): boolean {
  return pixels > 0 && pixels <= sideMax
}

/** The number of bytes to read: profiles and previews of a JPEG precede its size. */
export const measuredBytesMax = 1_048_576

function sizeOf(type: ImageType, head: Buffer): ImageSize | null {
  switch (type) {
    case 'image/png':
      return sizeOfPng(head)
    case 'image/jpeg':
      return sizeOfJpeg(head)
    case 'image/gif':
      return sizeOfGif(head)
    case 'image/webp':
      return sizeOfWebp(head)
  }
}

/** The signature, then a first chunk that must be IHDR of 13 bytes. */
function sizeOfPng(head: Buffer): ImageSize | null {
  if (head.length < 33 || head.readUInt32BE(8) !== 13 || head.toString('latin1', 12, 16) !== 'IHDR') return null
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

/** Segments of a marker and a length, up to the start of a frame. */
function sizeOfJpeg(head: Buffer): ImageSize | null {
  let at = 2
  while (at + 9 < head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    // Fill bytes may precede a marker.
    if (marker === 0xff) at += 1
    else if (isFrame(marker)) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    else if (marker === startOfScan || marker < 0xc0) return null
    else at += 2 + head.readUInt16BE(at + 2)
  }
  return null
}

const startOfScan = 0xda
// Of the markers C0 to CF, these three are tables.
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** The logical screen; a block must begin after it and its color table. */
function sizeOfGif(head: Buffer): ImageSize | null {
  const flags = head[10] ?? 0
  const coloursBytes = (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1)
  const block = head[13 + coloursBytes]
  if (block !== 0x21 && block !== 0x2c) return null
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
}

/** The first chunk is a lossy frame, a lossless one, or the canvas of the extended format. */
function sizeOfWebp(head: Buffer): ImageSize | null {
  if (head.length < 30) return null
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      if (head.readUIntBE(23, 3) !== 0x9d_01_2a) return null
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      if (head[20] !== 0x2f) return null
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

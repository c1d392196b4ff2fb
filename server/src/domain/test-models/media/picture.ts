import { hash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const usualSize = { width: 512, height: 512 }
const sideMax = 2_048
const shades = 256

/** A PNG gradient between two colors that are derived from the text. `size` is for example `1024x1024`. */
export function picture(text: string, size: string): Buffer {
  const { width, height } = sizeOf(size)
  const digest = hash('sha256', text, 'buffer')
  const palette = Buffer.alloc(shades * 3)
  for (let shade = 0; shade < shades; shade += 1) {
    for (let part = 0; part < 3; part += 1) {
      const [from, to] = [digest.readUInt8(part), digest.readUInt8(part + 3)]
      palette.writeUInt8(Math.round(from + ((to - from) * shade) / (shades - 1)), shade * 3 + part)
    }
  }
  const rows = Buffer.alloc((width + 1) * height)
  // Each row begins with its filter byte, which is 0 for none.
  for (let y = 0; y < height; y += 1) {
    rows.fill(Math.floor((y * shades) / height), y * (width + 1) + 1, (y + 1) * (width + 1))
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits per pixel, which index the palette.
  head.writeUInt8(8, 8)
  head.writeUInt8(3, 9)
  const chunks = [chunk('IHDR', head), chunk('PLTE', palette), chunk('IDAT', deflateSync(rows, { level: 1 }))]
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))])
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function sizeOf(size: string): { width: number; height: number } {
  const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(size) ?? []
  if (width === undefined || height === undefined) return usualSize
  return { width: sideOf(Number(width)), height: sideOf(Number(height)) }
}

function sideOf(pixels: number): number {
  return Math.min(Math.max(1, pixels), sideMax)
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

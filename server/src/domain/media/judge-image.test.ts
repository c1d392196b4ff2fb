import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { judgeImage, tailBytes } from './judge-image.ts'

/** Made by Pillow. Each file name ends in the image size. */
const folder = new URL('../../../test/samples/images/', import.meta.url)
const samples = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(new URL(name, folder)) }))

function judge(bytes: Buffer) {
  return judgeImage({ head: bytes, tail: bytes.subarray(-tailBytes), byteCount: bytes.length })
}

describe('judgeImage', () => {
  it.each(samples)('finds type and size of $name', ({ name, bytes }) => {
    const [, width, height, extension] = /-(\d+)x(\d+)\.(\w+)$/.exec(name) ?? []
    expect(judge(bytes)).toEqual({
      isImage: true,
      type: `image/${extension === 'jpg' ? 'jpeg' : extension}`,
      size: { width: Number(width), height: Number(height) },
    })
  })

  it.each(samples)('refuses $name when any of its last bytes is missing', ({ bytes }) => {
    for (const missing of [1, 2, 3, 12, 40, Math.floor(bytes.length / 2)]) {
      expect(judge(bytes.subarray(0, bytes.length - missing))).toMatchObject({ isImage: false })
    }
  })

  it.each(samples)('takes no beginning of $name for an image, and never fails', ({ bytes }) => {
    for (let length = 0; length < Math.min(bytes.length, 600); length += 1) {
      expect(judge(bytes.subarray(0, length))).toMatchObject({ isImage: false })
    }
  })

  it.each(samples)('refuses $name when a page or an archive follows it', ({ bytes }) => {
    for (const guest of [
      '<html><script>alert(1)</script></html>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'PK\x05\x06',
    ]) {
      const both = Buffer.concat([bytes, Buffer.from(guest), Buffer.alloc(22)])
      expect(judge(both)).toMatchObject({ isImage: false })
    }
  })

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '<?xml version="1.0"?><svg/>',
    '<!DOCTYPE html><html></html>',
    '%PDF-1.7 %%EOF',
    'BM\x46\x00\x00\x00',
    'II*\x00',
    '\x00\x00\x00\x20ftypavif',
    'GIF89a/*<script>alert(1)</script>*/=1;',
    'GIF89a<svg onload=alert(1)>;',
    '\x89PNG\r\n\x1a\n<script>alert(1)</script>',
    '\xff\xd8\xff<script>alert(1)</script>\xff\xd9',
    '\xff\xd8\xff\xe0/*<script>alert(1)</script>*/\xff\xd9',
    'RIFF\x24\x00\x00\x00WEBP<script>alert(1)</script>....',
    '',
  ])('refuses %j', (text) => {
    expect(judge(Buffer.from(text, 'latin1'))).toMatchObject({ isImage: false })
  })

  it('refuses a size of nothing', () => {
    const png = Buffer.from(samples.find(({ name }) => name.endsWith('.png'))?.bytes ?? [])
    png.writeUInt32BE(0, 16)
    expect(judge(png)).toEqual({ isImage: false, why: 'an image/png without dimensions' })
  })
})

import { Readable } from 'node:stream'
import type { SentContent } from './call.ts'

const boundary = 'drill-5f2c81'
const pngHead = Buffer.from('89504e470d0a1a0a0000000d49484452000004000000040008020000000000000', 'hex')
// One buffer for all images, so that the test itself needs little memory.
const filler = Buffer.alloc(65_536, 0x5a)

/** A request to `/v1/images/edits` whose images are generated while they are sent. */
export function editForm(options: { model: string; files: number; bytesEach: number }): SentContent {
  const { files, bytesEach } = options
  const fields = { model: options.model, prompt: 'a lighthouse at dusk' }
  const texts = Object.entries(fields).map(([name, value]) => `${headOf(`name="${name}"`)}${value}\r\n`)
  const fileHead = headOf('name="image"; filename="a.png"', 'content-type: image/png')
  const end = `--${boundary}--\r\n`
  const textBytes = [...texts, end].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    byteCount: textBytes + files * (fileHead.length + bytesEach + 2),
    open: () => Readable.from(write(), { objectMode: false, highWaterMark: filler.length }),
  }

  function* write(): Generator<Buffer> {
    yield Buffer.from(texts.join(''))
    for (let file = 0; file < files; file += 1) {
      yield Buffer.from(fileHead)
      yield* imageOf(bytesEach)
      yield Buffer.from('\r\n')
    }
    yield Buffer.from(end)
  }
}

function headOf(disposition: string, ...lines: string[]): string {
  return [`--${boundary}`, `content-disposition: form-data; ${disposition}`, ...lines, '', ''].join('\r\n')
}

/** Enough of a PNG to be recognized as one. */
function* imageOf(byteCount: number): Generator<Buffer> {
  yield pngHead.subarray(0, byteCount)
  for (let left = byteCount - pngHead.length; left > 0; left -= filler.length) yield filler.subarray(0, left)
}

import { Readable } from 'node:stream'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mediaSourceOf, mediaUrlOf } from '#dialects/chat/data-uri.ts'
import { parseImageUrl } from '#dialects/image-url.ts'
import { egressPolicy } from '#domain/egress/egress-policy.ts'
import { judgeAddress } from '#domain/egress/judge-address.ts'
import { hostOf, judgeUrl } from '#domain/egress/judge-url.ts'
import { measureImage } from '#domain/media/measure-image.ts'
import { parseImageSize } from '#domain/media/parse-image-size.ts'
import { wavLengthMs } from '#domain/media/wav-length.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { boundaryOf } from '#http/forms/upload.ts'
import { LimitedBody } from '#http/forms/limited-body.ts'
import { receiveForm } from '#http/forms/receive-form.ts'
import { sniffAudio } from '#lib/sniff-audio.ts'
import { sniffImage } from '#lib/sniff-media.ts'
import { cutBytes } from '../engine/cut-bytes.ts'
import { ensure, ensureSame, unlessRefused } from '../engine/expect.ts'
import type { FuzzTarget } from '../target.ts'

const closed = egressPolicy([])
const opened = egressPolicy(['127.0.0.0/8', 'fd00::/8'])
const boundary = 'xYzZY'
const limits = {
  fileFields: ['file', 'image', 'image[]'],
  fileBytesMax: 65_536,
  bodyBytesMax: 131_072,
  jsonBytesMax: 131_072,
}
let folder = ''

export const mediaTargets: readonly FuzzTarget[] = [
  {
    name: 'url-guard',
    runs: 100_000,
    words: ['https://', '@', '%2e', '[::1]', '0x7f.1', '①②⑦', '。', 'localhost', '.internal', ':22', '\\'],
    run: (input) => {
      const text = input.toString('utf8')
      const verdict = judgeUrl(text, closed)
      if (verdict.allowed) {
        ensure(verdict.url.protocol === 'https:', 'only https passes')
        const host = hostOf(verdict.url)
        ensure(verdict.url.username === '' && verdict.url.password === '', 'no credentials pass')
        // A client would connect to the host of the serialized URL.
        ensureSame(hostOf(new URL(verdict.url.href)), host, 'what is judged is what is asked')
        if (/^[\d.]+$|:/.test(host)) ensure(judgeAddress(host).public, 'no private address passes')
      }
      judgeUrl(text, opened)
      judgeAddress(text)
    },
  },
  {
    name: 'image-urls',
    runs: 80_000,
    run: (input) => {
      const text = input.toString('utf8')
      unlessRefused(() => parseImageUrl(text, 'image'))
      const source = mediaSourceOf(text)
      if (source.kind === 'data') ensureSame(mediaSourceOf(mediaUrlOf(source)), source, 'a source is read as written')
      const size = parseImageSize(text)
      if (size.kind === 'pixels') ensure(size.size.width * size.size.height <= 2 ** 28, 'no image is larger than any')
    },
  },
  {
    name: 'media-heads',
    runs: 100_000,
    run: (input) => {
      const type = sniffImage(input)
      const size = type === undefined ? null : measureImage(type, input)
      if (size !== null) ensure(size.width > 0 && size.height > 0 && size.width <= 65_535, 'an image has a size')
      sniffAudio(input)
      const lengthMs = wavLengthMs(input, input.length)
      if (lengthMs !== null) ensure(Number.isFinite(lengthMs) && lengthMs >= 0, 'a recording has a length')
    },
  },
  {
    name: 'form-boundary',
    runs: 100_000,
    words: ['multipart/form-data', '; boundary=', '"', 'charset=utf-8'],
    run: (input) => {
      const text = input.toString('latin1')
      const found = unlessRefused(() => boundaryOf(text))
      if (found !== undefined) ensure(found.length <= 70 && text.includes(found), 'a boundary is one that was sent')
    },
  },
  {
    name: 'multipart',
    runs: 3_000,
    words: [`--${boundary}\r\n`, `--${boundary}--\r\n`, 'Content-Disposition: form-data; name="file"', 'filename='],
    open: async () => {
      folder = await mkdtemp(join(tmpdir(), 'weir-fuzz-'))
    },
    close: () => rm(folder, { recursive: true, force: true }),
    run: async (input) => {
      const whole = await receive([input])
      ensureSame(await receive(cutBytes(input)), whole, 'cuts change nothing')
    },
  },
]

/** Returns the content of a form, or the name of its error. */
async function receive(pieces: readonly Buffer[]): Promise<unknown> {
  const into = await mkdtemp(join(folder, 'form-'))
  const request = requestWith(pieces)
  const body = new LimitedBody(request, { bytesMax: limits.bodyBytesMax, idleTimeoutMs: 60_000 })
  try {
    const { fields, files } = await receiveForm(body, { boundary, limits, folder: into })
    for (const name of await readdir(into)) {
      ensure((await stat(join(into, name))).size <= limits.fileBytesMax, 'no file is larger than one may be')
    }
    return { fields, files: files.map(({ field, name, byteCount }) => ({ field, name, byteCount })) }
  } catch (error) {
    if (error instanceof GatewayError && error.row.status < 500) return error.errorName
    throw error
  } finally {
    body.destroy()
    await rm(into, { recursive: true, force: true })
  }
}

/** A request whose body arrives in these pieces. */
function requestWith(pieces: readonly Buffer[]): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  const source = Readable.from(pieces.filter(({ length }) => length > 0))
  // Nothing is read from the socket: the pieces are pushed.
  Object.assign(request, { _read: () => {} })
  source.on('data', (piece: Buffer) => request.push(piece))
  source.on('end', () => {
    request.complete = true
    request.push(null)
  })
  return request
}

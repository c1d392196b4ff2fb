import { IncomingMessage } from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LimitedBody } from './limited-body.ts'
import { receiveForm, type ReceivedForm } from './receive-form.ts'

const boundary = 'xYzZY'
const limits = { fileFields: ['file'], fileBytesMax: 65_536, bodyBytesMax: 131_072, jsonBytesMax: null }
const field = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n`
const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nbytes\r\n`
const end = `--${boundary}--\r\n`

describe('[B5] a form whose parts are cut off', () => {
  it.each([
    ['without the end of its headers', `--${boundary}\r\nContent-Disposition: form-data; name="b\r\n`],
    ['without anything', `--${boundary}\r\n`],
    ['without a name', `--${boundary}\r\nContent-Type: text/plain\r\n\r\nb\r\n`],
    ['without headers', `--${boundary}\r\nb\r\n`],
  ])('is refused where a part comes %s', async (_, part) => {
    for (const text of [part + end, field + part + field + end, file + part + end, part + file + end]) {
      for (const pieces of [[text], [...text]]) {
        await expect(receive(pieces)).rejects.toMatchObject({ errorName: 'malformedRequest' })
      }
    }
  })

  it.each(['Y\r\r\n', `\r\n${field}`, `\r\n--${boundary}\r\nb\r\n`, `\r\n${end}`])(
    'ends where it says: before %j',
    async (after) => {
      for (const text of [`--${boundary}--${after}${end}`, `before\r\n--${boundary}--${after}${end}`]) {
        for (const pieces of [[text], [...text]]) expect(await receive(pieces)).toEqual({ fields: {}, files: [] })
      }
    },
  )

  it('is received where all are whole', async () => {
    const text = `before\r\n${field}${file}${end}after\r\n${field}`
    for (const pieces of [[text], [...text]]) {
      const { fields, files } = await receive(pieces)
      expect(fields).toEqual({ a: 'b' })
      expect(files).toMatchObject([{ field: 'file', name: 'f', byteCount: 5 }])
    }
  })
})

async function receive(pieces: readonly string[]): Promise<ReceivedForm> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-form-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const request = new IncomingMessage(new Socket())
  request.complete = true
  for (const piece of pieces) request.push(Buffer.from(piece))
  request.push(null)
  const body = new LimitedBody(request, { bytesMax: limits.bodyBytesMax, idleTimeoutMs: 60_000 })
  onTestFinished(() => void body.destroy())
  const form = await receiveForm(body, { boundary, limits, folder })
  expect(await readdir(folder)).toHaveLength(form.files.length)
  return form
}

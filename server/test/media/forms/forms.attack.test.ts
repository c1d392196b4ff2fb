import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchangeRaw, type RawAnswer } from '#test/edge/raw-exchange.ts'
import { type Arrived, type FormServer, startFormServer } from './form-server.ts'
import { boundary, formOf, part, type RawHead, requestOf } from './raw-form.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const image = part('name="image"; filename="a.png"', png, ['content-type: image/png'])
const prompt = part('name="prompt"', 'a cat')
const simple = formOf(prompt, image)

describe('a form meant to do harm', () => {
  let server: FormServer
  beforeAll(async () => {
    server = await startFormServer()
  })
  afterAll(() => server.close())

  async function send(body: Buffer, head: Partial<RawHead> = {}): Promise<RawAnswer> {
    const { answers } = await exchangeRaw(server.url, requestOf(body, head))
    expect(answers).toHaveLength(1)
    await expect.poll(() => server.kept(), { interval: 2 }).toEqual([])
    return answers[0] ?? { status: 0, headers: new Map(), body: '' }
  }

  /** Sends a form that must pass and returns the parsed form. */
  async function take(body: Buffer, head: Partial<RawHead> = {}): Promise<Arrived> {
    expect((await send(body, head)).status).toBe(404)
    const last = server.arrived.at(-1)
    if (last === undefined) throw new Error('nothing arrived')
    return last
  }

  async function refusal(body: Buffer, head: Partial<RawHead> = {}): Promise<{ status: number; code: unknown }> {
    const before = server.arrived.length
    const { status, body: text } = await send(body, head)
    expect(server.arrived.length).toBe(before)
    const { error } = JSON.parse(text)
    return { status, code: error.code }
  }

  it('is taken when it is an honest one', async () => {
    const { fields, files, byteCount } = await take(simple)
    expect(fields).toEqual({ prompt: 'a cat' })
    expect(files).toEqual([{ field: 'image', name: 'a.png', mediaType: 'image/png', bytes: png }])
    expect(byteCount).toBe(simple.length)
  })

  it.each([
    ['quoted', `multipart/form-data; boundary="${boundary}"`],
    ['after another parameter', `multipart/form-data; charset=utf-8; boundary=${boundary}`],
    ['in other letters', `Multipart/Form-Data;BOUNDARY=${boundary}`],
  ])('is taken with a boundary %s', async (_name, contentType) => {
    expect((await take(simple, { contentType })).fields).toEqual({ prompt: 'a cat' })
  })

  it.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['an empty quoted boundary', 'multipart/form-data; boundary=""'],
    ['a boundary of 71 characters', `multipart/form-data; boundary=${'x'.repeat(71)}`],
    ['a boundary of 5,000 characters', `multipart/form-data; boundary=${'x'.repeat(5_000)}`],
    ['a boundary that ends in a blank', `multipart/form-data; boundary="${boundary} "`],
    ['a boundary without end', `multipart/form-data; boundary="${boundary}`],
    ['two boundaries', `multipart/form-data; boundary=${boundary}; boundary=other`],
    ['the same boundary twice', `multipart/form-data; boundary=${boundary}; boundary=${boundary}`],
    ['a boundary in characters that none may have', `multipart/form-data; boundary=${boundary}\u00e9`],
    ['an extended boundary', `multipart/form-data; boundary*=utf-8''${boundary}`],
    ['words behind the type', `multipart/form-data x; boundary=${boundary}`],
    ['a tab and a letter', 'application/json\ta'],
    ['JSON', 'application/json'],
    ['another multipart', `multipart/mixed; boundary=${boundary}`],
    ['a plain form', 'application/x-www-form-urlencoded'],
    ['two types', `multipart/form-data, multipart/form-data; boundary=${boundary}`],
    ['nothing', ''],
  ])('[ERR-33] is refused as invalid_content_type with %s', async (_name, contentType) => {
    expect(await refusal(simple, { contentType })).toEqual({ status: 400, code: 'invalid_content_type' })
  })

  it('is refused when its type is said twice', async () => {
    const lines = ['content-type: multipart/form-data; boundary=other']
    expect(await refusal(simple, { lines })).toEqual({ status: 400, code: 'invalid_content_type' })
  })

  it.each([
    ['50,000 tiny parts', formOf(...Array.from({ length: 50_000 }, (_, at) => part(`name="a${at}"`, 'x')))],
    ['20,000 files', formOf(...Array.from({ length: 20_000 }, () => image))],
    ['100,000 parts of nothing', Buffer.from(`--${boundary}\r\n\r\n\r\n`.repeat(100_000))],
    ['boundaries and nothing else', Buffer.from(`--${boundary}\r\n`.repeat(200_000))],
    ['a field over a megabyte', formOf(part('name="prompt"', 'x'.repeat(1_100_000)))],
    [
      'fields over a megabyte together',
      formOf(...['a', 'b', 'c'].map((name) => part(`name="${name}"`, 'x'.repeat(400_000)))),
    ],
    ['a name of 10,000 characters', formOf(part(`name="${'n'.repeat(10_000)}"`, 'x'))],
    ['a part without name', formOf(part('x="y"', 'x'))],
    ['a file without name of its field', formOf(part('filename="a.png"', png))],
    ['a file in a field for text', formOf(part('name="prompt"; filename="a.png"', png))],
    ['a field both as text and as file', formOf(part('name="image"', 'x'), image)],
    ['a field both as file and as text', formOf(image, part('name="image"', 'x'))],
    ['no end', simple.subarray(0, -8)],
    ['an end in the middle of a file', simple.subarray(0, -60)],
    ['an end in the head of a part', Buffer.from(`--${boundary}\r\ncontent-dispo`)],
    ['no parts at all', Buffer.from('what is this')],
    ['another boundary than it says', Buffer.from(simple.toString('latin1').replaceAll(boundary, 'other'), 'latin1')],
    ['no bytes', Buffer.alloc(0)],
  ])('is refused with 400: %s', async (_name, body) => {
    expect(await refusal(body)).toEqual({ status: 400, code: 400 })
  })

  it('is read no further than its limits: headers inside parts', async () => {
    const flood = Array.from({ length: 3_000 }, (_, at) => `x-${at}: ${'y'.repeat(20)}`)
    const { fields } = await take(formOf(part('name="prompt"', 'a cat', flood)))
    expect(fields).toEqual({ prompt: 'a cat' })
    const long = await take(formOf(part('name="prompt"', 'a cat', [`x: ${'y'.repeat(500_000)}`])))
    expect(long.fields).toEqual({ prompt: 'a cat' })
  })

  it.each([
    ['__proto__', {}],
    ['constructor', { constructor: 'evil' }],
    ['toString', { toString: 'evil' }],
    ['hasOwnProperty', { hasOwnProperty: 'evil' }],
  ])('pollutes no prototype by the name %s', async (name, own) => {
    const { fields } = await take(formOf(part(`name="${name}"`, 'evil'), prompt))
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
    expect(fields).toEqual({ ...own, prompt: 'a cat' })
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it.each([
    ['a way up', '../../../etc/passwd', 'passwd'],
    ['a way up with backslashes', '..\\..\\boot.ini', 'boot.ini'],
    ['an absolute path', '/etc/cron.d/x', 'x'],
    ['control characters', 'a\u0000b\u001b[31m.png', 'a_b_[31m.png'],
    ['the folder above', '..', ''],
    ['5,000 characters', 'x'.repeat(5_000), 'x'.repeat(200)],
  ])('is written nowhere else by a file name of %s', async (_name, name, kept) => {
    const { files } = await take(formOf(prompt, part(`name="image"; filename="${name}"`, png)))
    expect(files.map((file) => file.name)).toEqual([kept])
    expect(files[0]?.bytes).toEqual(png)
  })

  it('is a file of bytes where another form is put into one', async () => {
    const inner = formOf(prompt).toString('latin1').replaceAll(boundary, 'inner')
    const nested = part('name="image"; filename="x"', inner, ['content-type: multipart/mixed; boundary=inner'])
    const { fields, files } = await take(formOf(nested))
    expect(fields).toEqual({})
    expect(files[0]).toMatchObject({ mediaType: 'application/octet-stream', bytes: Buffer.from(inner, 'latin1') })
  })

  it('is known by its bytes, whatever its type says', async () => {
    const { files } = await take(formOf(part('name="image"; filename="a.png"', '<svg/>', ['content-type: image/png'])))
    expect(files[0]?.mediaType).toBe('application/octet-stream')
  })

  it('counts a field that is sent several times as a list, and a file that was not chosen as none', async () => {
    const { fields, files } = await take(
      formOf(
        part('name="a"', '1'),
        part('name="a"', '2'),
        part('name="a"', '3'),
        part('name="image"; filename=""', ''),
      ),
    )
    expect(fields).toEqual({ a: ['1', '2', '3'] })
    expect(files).toEqual([])
  })

  it('takes a file that has a type but no name', async () => {
    const { files } = await take(formOf(part('name="image"', png, ['content-type: image/png'])))
    expect(files).toMatchObject([{ field: 'image', name: '', mediaType: 'image/png' }])
  })

  it('[ERR-40] is refused when one file is too large, though the whole is not', async () => {
    const body = formOf(part('name="image"; filename="a.png"', Buffer.alloc(1_048_577)))
    expect(await refusal(body)).toEqual({ status: 400, code: 'image_too_large' })
    const most = formOf(part('name="image"; filename="a.png"', Buffer.alloc(1_048_576)))
    expect((await take(most)).files[0]?.bytes.length).toBe(1_048_576)
  })
})

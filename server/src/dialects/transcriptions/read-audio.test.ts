import { describe, expect, it } from 'vitest'
import type { FormFile } from '#domain/media/media-file.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { readAudio } from './read-audio.ts'

const bytes = Buffer.from('ID3 and some sound')
const base64 = bytes.toString('base64')

function fileOf(name: string, mediaType: string, byteCount = bytes.length): FormFile {
  return { field: 'file', name, mediaType, byteCount, content: { kind: 'memory', bytes }, head: bytes.subarray(0, 4) }
}

describe('the audio of a request', () => {
  it('is the file of a form', () => {
    const file = fileOf('hello.mp3', 'audio/mpeg')
    expect(readAudio({}, [file])).toEqual({ file, head: file.head })
  })

  it('is base64 in JSON, whose type the bytes tell', () => {
    expect(readAudio({ input_audio: { data: base64, format: 'mp3' } }, [])).toEqual({
      file: {
        name: 'audio.mp3',
        mediaType: 'audio/mpeg',
        byteCount: bytes.length,
        content: { kind: 'memory', bytes },
      },
      head: bytes,
    })
  })

  it('has an unknown type where its bytes tell none, and keeps the format that was named', () => {
    for (const format of ['pcm16', 'PCM', 'abcdefgh']) {
      expect(readAudio({ input_audio: { data: 'AAAA', format } }, []).file).toMatchObject({
        name: `audio.${format}`,
        mediaType: 'application/octet-stream',
        byteCount: 3,
      })
    }
  })

  it.each(['AAA=', 'AA==', 'ab+/'])('may be the base64 %s', (data) => {
    expect(readAudio({ input_audio: { data, format: 'pcm' } }, []).file.byteCount).toBeGreaterThan(0)
  })

  const noBase64 = '`input_audio.data` must be raw base64'
  const noAudio = '`input_audio` must have `data`'
  it.each<[JsonValue | undefined, string | number, string]>([
    [
      undefined,
      'missing_required_field',
      '`file` is required. Send it as multipart/form-data, or send JSON with `input_audio.data`',
    ],
    [null, 'missing_required_field', '`file` is required'],
    ['AAAA', 400, noAudio],
    [{ format: 'wav' }, 400, noAudio],
    [{ data: 5, format: 'wav' }, 400, noAudio],
    [{ data: 'AAAA' }, 400, noAudio],
    [{ data: 'AAAA', format: 5 }, 400, noAudio],
    [{ data: 'AAAA', format: '' }, 400, noAudio],
    [{ data: 'AAAA', format: 'a/b' }, 400, noAudio],
    [{ data: 'AAAA', format: '/b' }, 400, noAudio],
    [{ data: 'AAAA', format: 'b/' }, 400, noAudio],
    [{ data: 'AAAA', format: 'abcdefghi' }, 400, noAudio],
    [{ data: 'data:audio/wav;base64,AAAA', format: 'wav' }, 400, noBase64],
    [{ data: 'AAAA AAAA', format: 'wav' }, 400, noBase64],
    [{ data: '-AAAA', format: 'wav' }, 400, noBase64],
    [{ data: 'AAAA-', format: 'wav' }, 400, noBase64],
    [{ data: 'A===', format: 'wav' }, 400, noBase64],
    [{ data: '', format: 'wav' }, 400, 'The audio is empty.'],
  ])('cannot be the `input_audio` %j', (audio, code, text) => {
    const body: JsonObject = { input_audio: audio }
    expect(() => readAudio(body, [])).toThrow(refusal(code, text))
  })

  it('cannot be two files, nor an empty one', () => {
    const file = fileOf('hello.mp3', 'audio/mpeg')
    expect(() => readAudio({}, [file, file])).toThrow(refusal(400, 'Send exactly one `file`.'))
    expect(() => readAudio({}, [fileOf('hello.mp3', 'audio/mpeg', 0)])).toThrow(refusal(400, 'The audio is empty.'))
  })

  it.each([
    ['hello.wav', 'audio/wav', 'hello.wav'],
    ['hello.mp3', 'audio/wav', 'hello.wav'],
    ['hello.mpga', 'audio/mpeg', 'hello.mpga'],
    ['hello.mpeg', 'audio/mpeg', 'hello.mpeg'],
    ['hello.MP3', 'audio/mpeg', 'hello.MP3'],
    ['hello.wav', 'audio/mpeg', 'hello.mp3'],
    ['hello.ogg', 'audio/ogg', 'hello.ogg'],
    ['hello.oga', 'audio/ogg', 'hello.oga'],
    ['hello.opus', 'audio/ogg', 'hello.opus'],
    ['hello', 'audio/ogg', 'hello.ogg'],
    ['hello.flac', 'audio/flac', 'hello.flac'],
    ['hello.', 'audio/flac', 'hello.flac'],
    ['hello.webm', 'audio/webm', 'hello.webm'],
    ['hello.mkv', 'audio/webm', 'hello.webm'],
    ['hello.m4a', 'audio/mp4', 'hello.m4a'],
    ['hello.mp4', 'audio/mp4', 'hello.mp4'],
    ['hello.mov', 'audio/mp4', 'hello.m4a'],
    ['two.dots.mov', 'audio/mp4', 'two.dots.m4a'],
    ['two\nlines.mov', 'audio/mp4', 'two\nlines.m4a'],
    ['', 'audio/mp4', 'audio.m4a'],
    ['.mov', 'audio/mp4', 'audio.m4a'],
    ['hello.xyz', 'audio/xyz', 'hello.xyz'],
    ['hello', 'audio/xyz', 'hello'],
    ['', 'audio/xyz', 'audio'],
  ])('is sent as %j of type %s under the name %j', (name, mediaType, sentName) => {
    expect(readAudio({}, [fileOf(name, mediaType)]).file).toEqual({ ...fileOf(name, mediaType), name: sentName })
  })
})

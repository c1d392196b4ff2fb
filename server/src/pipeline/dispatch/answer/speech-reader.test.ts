import { describe, expect, it } from 'vitest'
import type { AnswerListener } from '../../types.ts'
import { type ExpectedSpeech, SpeechReader } from './speech-reader.ts'

const document: ExpectedSpeech = {
  sentType: 'application/json',
  statedType: 'audio/mpeg',
  format: 'mp3',
  characters: 5,
  readDocument: (bytes) => (bytes.toString() === '{"audio":"sound"}' ? { audio: Buffer.from('sound') } : undefined),
  answerBytesMax: 100,
}

function hear(pieces: readonly string[]): string[] {
  const heard: string[] = []
  const listener = {
    opened: (type: string) => heard.push(`opened ${type}`),
    bytes: (bytes: Buffer) => heard.push(`bytes ${bytes}`),
    done: (_: unknown, last: () => Buffer) => heard.push(`done ${last()}`),
    unusable: ({ kind }: { kind: string }) => heard.push(`unusable ${kind}`),
  }
  const reader = new SpeechReader(document, listener as unknown as AnswerListener)
  for (const piece of pieces) reader.data(Buffer.from(piece))
  reader.end()
  return heard
}

describe('speech that comes in a document', () => {
  it('[W7] is passed on as the audio in it, once all of it is here', () => {
    expect(hear(['{"audio":', '"sound"}'])).toEqual(['opened audio/mpeg', 'done sound'])
  })

  it('[W7] is nothing where the document holds no audio', () => {
    expect(hear(['{"error":"no"}'])).toEqual(['unusable empty'])
  })

  it('[W7] is refused where the document is too large', () => {
    expect(hear(['x'.repeat(101)])[0]).toBe('unusable oversize')
  })
})

function read(speech: Partial<ExpectedSpeech>, pieces: readonly string[]) {
  const log: unknown[] = []
  const reader = new SpeechReader(
    { sentType: 'audio/mpeg', statedType: undefined, format: null, characters: 12, answerBytesMax: 100, ...speech },
    {
      opened: (contentType) => log.push(`opened as ${contentType}`),
      bytes: (bytes) => log.push(String(bytes)),
      unusable: (failure) => log.push(failure),
      done: (answer, close) => log.push(answer, `last: ${close(0n as never)}`),
    },
  )
  for (const piece of pieces) reader.data(Buffer.from(piece))
  reader.end()
  return { log, reader }
}

const counted = {
  uncachedInput: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  audioInput: 0,
  textOutput: 0,
  reasoningOutput: 0,
  imageOutput: 0,
  audioOutput: 0,
  media: { inputCharacters: 12 },
}
const answer = { usage: counted, finishReason: null, nativeFinishReason: null }

describe('speech', () => {
  it('is passed on as it comes, but for its last piece, which waits for the settle', () => {
    expect(read({}, ['a', '', 'b', 'c']).log).toEqual(['opened as audio/mpeg', 'a', 'b', answer, 'last: c'])
  })

  it('of one piece is all there at the end', () => {
    expect(read({}, ['a']).log).toEqual(['opened as audio/mpeg', answer, 'last: a'])
  })

  it('that never came is empty', () => {
    expect(read({}, ['']).log).toEqual([{ kind: 'empty', message: 'The upstream returned no audio.' }])
  })

  it.each([
    'text/html',
    'application/json',
    'image/svg+xml',
    'audio/',
    'xaudio/mpeg',
    'audio/mpeg, text/html',
    'video/x',
  ])('is no audio with the type %s', (sentType) => {
    expect(read({ sentType }, ['a']).log[0]).toEqual({
      kind: 'error',
      message: 'The upstream response is not audio.',
    })
  })

  it.each(['audio/wav', 'Audio/L16; rate=24000', 'application/ogg', 'video/mp4', 'video/webm', 'audio/x.y+z-1'])(
    'has the type that the upstream names: %s',
    (sentType) => {
      expect(read({ sentType, format: 'mp3' }, ['a']).log[0]).toBe(`opened as ${sentType}`)
    },
  )

  it.each([
    ['', 'mp3', 'audio/mpeg'],
    ['application/octet-stream', 'wav', 'audio/wav'],
    ['binary/octet-stream', 'opus', 'audio/ogg'],
    ['', null, 'audio/mpeg'],
  ])('has the type that was asked for where the upstream says "%s" of %s', (sentType, format, type) => {
    expect(read({ sentType, format }, ['a']).log[0]).toBe(`opened as ${type}`)
  })

  it('has the type that is known of its upstream first of all', () => {
    expect(read({ statedType: 'audio/pcm' }, ['a']).log[0]).toBe('opened as audio/pcm')
  })

  it('is charged at its end alone, and fails without words', () => {
    const { reader } = read({}, ['a'])
    expect(reader.finalAnswer).toBeNull()
    expect(reader.outputTokensEstimate).toBe(0)
    expect(reader.fail()).toBeNull()
  })
})

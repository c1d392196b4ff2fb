import { describe, expect, it } from 'vitest'
import type { AnswerListener } from '../../types.ts'
import { type ExpectedSpeech, SpeechReader } from './speech-reader.ts'

const document: ExpectedSpeech = {
  sentType: 'application/json',
  statedType: 'audio/mpeg',
  format: 'mp3',
  characters: 5,
  readAudio: (bytes) => (bytes.toString() === '{"audio":"sound"}' ? Buffer.from('sound') : undefined),
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

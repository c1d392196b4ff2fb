import { describe, expect, it } from 'vitest'
import { sniffAudio } from './sniff-audio.ts'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

describe('what audio is, by how it begins', () => {
  it.each([
    ['audio/wav', latin('RIFF\x24\x00\x00\x00WAVEfmt ')],
    ['audio/mpeg', latin('ID3\x04\x00\x00\x00\x00\x00\x00\x00\x00')],
    ['audio/mpeg', Buffer.from('fffb9064', 'hex')],
    ['audio/mpeg', Buffer.from('fff38064', 'hex')],
    ['audio/ogg', latin('OggS\x00\x02')],
    ['audio/flac', latin('fLaC\x00\x00\x00\x22')],
    ['audio/webm', Buffer.from('1a45dfa39f428681', 'hex')],
    ['audio/mp4', latin('\x00\x00\x00\x20ftypM4A ')],
  ])('%s', (type, head) => {
    expect(sniffAudio(head)).toBe(type)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from('ff', 'hex')],
    ['a picture', latin('RIFF\x24\x00\x00\x00WEBPVP8 ')],
    ['a photo', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['raw AAC', Buffer.from('fff15080', 'hex')],
    ['words', latin('{"error":"no"}')],
  ])('%s is none of them', (_, head) => {
    expect(sniffAudio(head)).toBeUndefined()
  })
})

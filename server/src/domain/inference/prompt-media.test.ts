import { describe, expect, it } from 'vitest'
import { chatPrompt } from '#dialects/chat/chat-prompt.ts'
import { messagesPrompt } from '#dialects/messages/messages-prompt.ts'
import { responsesPrompt } from '#dialects/responses/responses-prompt.ts'
import type { JsonObject } from '#lib/json.ts'
import { sizeOf } from './prompt-matter.ts'

const base64 = 'A'.repeat(40_000)

const chat = (part: JsonObject) => sizeOf(chatPrompt.measure({ messages: [{ role: 'user', content: [part] }] }))
const messages = (part: JsonObject) => sizeOf(messagesPrompt.measure({ messages: [{ role: 'user', content: [part] }] }))
const responses = (part: JsonObject) => sizeOf(responsesPrompt.measure({ input: [{ role: 'user', content: [part] }] }))

describe('C4: what only the upstream can count may fill the context', () => {
  it.each([
    ['a video in chat', chat({ type: 'video_url', video_url: { url: 'https://a.example/v' } })],
    ['a file by id in chat', chat({ type: 'file', file: { file_id: 'f' } })],
    ['a recording by address in chat', chat({ type: 'audio_url', audio_url: { url: 'https://a.example/a' } })],
    ['a recording without data in chat', chat({ type: 'input_audio', input_audio: { id: 'a' } })],
    [
      'a document by address in messages',
      messages({ type: 'document', source: { type: 'url', url: 'https://a.example' } }),
    ],
    ['a document by id in messages', messages({ type: 'document', source: { type: 'file', file_id: 'f' } })],
    ['a video in messages', messages({ type: 'video', source: { type: 'url', url: 'https://a.example/v' } })],
    ['a file by address in responses', responses({ type: 'input_file', file_url: 'https://a.example/f' })],
    ['a file by id in responses', responses({ type: 'input_file', file_id: 'f' })],
    ['a video in responses', responses({ type: 'input_video', video_url: 'https://a.example/v' })],
    ['a recording by address in responses', responses({ type: 'input_audio', audio_url: 'https://a.example/a' })],
  ])('%s', (_name, size) => {
    expect(size.fillsContext).toBe(true)
  })

  it('an earlier answer that was spoken', () => {
    const spoken = { role: 'assistant', audio: { id: 'audio-1' } }
    expect(sizeOf(chatPrompt.measure({ messages: [spoken] })).fillsContext).toBe(true)
  })

  it.each([
    ['words', chat({ type: 'text', text: 'Hello' })],
    ['an unknown part', messages({ type: 'server_tool_use', name: 'web_search', input: { query: 'weirs' } })],
    ['an image', chat({ type: 'image_url', image_url: { url: 'https://a.example/i' } })],
    ['a file inline', responses({ type: 'input_file', file_data: base64 })],
    ['a document of words', messages({ type: 'document', source: { type: 'text', data: 'Hello' } })],
  ])('but not %s', (_name, size) => {
    expect(size).not.toHaveProperty('fillsContext')
  })
})

describe('C4: what is inline is held for by its size', () => {
  it.each([
    ['a file in chat', chat({ type: 'file', file: { file_data: base64 } })],
    ['a document in messages', messages({ type: 'document', source: { type: 'base64', data: base64 } })],
    ['a file in responses', responses({ type: 'input_file', file_data: base64 })],
  ])('%s: a token to a byte', (_name, size) => {
    expect(size).toMatchObject({ promptTokensEstimate: 2_504, promptTokensHeld: 2_504, promptTokensBeyond: 27_500 })
  })

  it('a small file: at least what is usual', () => {
    const size = chat({ type: 'file', file: { file_data: 'AAAA' } })
    expect(size).toEqual({ promptTokensEstimate: 1_505, promptTokensHeld: 1_505, mayExpand: true })
  })

  it.each([
    ['chat', chat({ type: 'input_audio', input_audio: { data: base64, format: 'mp3' } })],
    ['responses', responses({ type: 'input_audio', input_audio: { data: base64, format: 'mp3' } })],
  ])('a recording in %s: 32 tokens a second, at the lowest rate of speech', (_name, size) => {
    // 30,000 bytes at 6,000 bits per second are 40 seconds.
    expect(size).toMatchObject({ promptTokensEstimate: 404, promptTokensHeld: 404, promptTokensBeyond: 880 })
  })

  it('a recording of plain samples: by its header', () => {
    const head = Buffer.alloc(44)
    head.write('RIFF', 0)
    head.write('WAVEfmt ', 8)
    head.writeUInt32LE(16, 16)
    head.writeUInt16LE(1, 20)
    head.writeUInt16LE(1, 22)
    head.writeUInt32LE(100, 24)
    head.writeUInt32LE(200, 28)
    head.writeUInt16LE(2, 32)
    head.writeUInt16LE(16, 34)
    head.write('data', 36)
    const data = Buffer.concat([head, Buffer.alloc(19_999)]).toString('base64')
    // A hundred samples of two bytes per second: 100 seconds.
    const size = chat({ type: 'input_audio', input_audio: { data, format: 'wav' } })
    expect(size).toMatchObject({ promptTokensHeld: 272, promptTokensBeyond: 2_932 })
  })

  it('images by their number', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://a.example/i' } }
    expect(messages(image)).toMatchObject({ promptTokensEstimate: 1_204, promptTokensHeld: 1_204, promptImages: 1 })
    expect(responses({ type: 'input_image', file_id: 'f' })).toMatchObject({ promptImages: 1 })
    const result = { type: 'tool_result', tool_use_id: 't', content: [image, image] }
    expect(messages(result)).toMatchObject({ promptImages: 2 })
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { bodySeenBy, type ChatWorld, errorOf, gemini, startChatWorld } from './chat-world.ts'

const base64 = Buffer.from('any bytes at all').toString('base64')
const pdf = (text: string) => `data:application/pdf;base64,${Buffer.from(text).toString('base64')}`
const openPdf = pdf('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')
const lockedPdf = pdf('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R/Encrypt 5 0 R>>\n%%EOF')

const image = (name: string) => ({ type: 'image_url', image_url: { url: `https://images.example.com/${name}.png` } })
const text = (value: string) => ({ type: 'text', text: value })
const withText = (part: JsonObject): JsonObject[] => [{ role: 'user', content: [text('What is this?'), part] }]

describe('the messages of POST /v1/chat/completions', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  /** The conversation must arrive unchanged. */
  async function expectRelayed(messages: JsonObject[], model = 'openai/gpt-5.2'): Promise<void> {
    const reply = await world.chat({ model, messages })
    expect(reply.status, reply.text).toBe(200)
    expect(bodySeenBy(model === gemini ? world.openrouter : world.openai).messages).toEqual(messages)
  }

  async function expectRefused(part: JsonObject): Promise<void> {
    const caller = await world.caller()
    const before = await world.gateway.walletOf(caller.walletId)
    const reply = await world.chat({ model: gemini, messages: [{ role: 'user', content: [part] }] }, { as: caller })
    expect(reply.status, JSON.stringify(part)).toBe(400)
    expect(errorOf(reply).message).toContain('messages[0].content[0]')
    expect(world.upstreamCalls()).toBe(0)
    expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
  }

  it.each(['system', 'user'])(
    '[CHAT-28] %s messages may hold a string or parts, with or without a name',
    async (role) => {
      for (const content of [
        'Plain',
        [
          { type: 'text', text: 'Part one' },
          { type: 'text', text: 'Part two' },
        ],
      ]) {
        for (const name of [{}, { name: 'ada' }]) {
          await expectRelayed([
            { role, content, ...name },
            { role: 'user', content: 'Go on' },
          ])
        }
      }
    },
  )

  it('[CHAT-29] an assistant message with tool calls needs no content', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
    for (const content of [{ content: null }, {}]) {
      await expectRelayed([
        { role: 'user', content: 'Look' },
        { role: 'assistant', ...content, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
      ])
    }
  })

  it('[CHAT-30] a partial assistant message stays the last and unaltered', async () => {
    await expectRelayed([
      { role: 'user', content: 'Count' },
      { role: 'assistant', content: 'One, two,  ' },
    ])
  })

  it('[CHAT-31] parts keep their order, several images included', async () => {
    await expectRelayed([{ role: 'user', content: [image('a'), text('1'), image('b'), image('c'), text('2')] }])
  })

  it('D4: [CHAT-32] an image is an http or https URL or a data URI, and its detail travels', async () => {
    for (const image of [
      { url: 'https://images.example.com/a.png?size=1&x=%20', detail: 'high' },
      { url: 'http://images.example.com/a.png', detail: 'high' },
      { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
      { url: 'data:image/png;base64,iVBORw0KGgo=' },
    ]) {
      await expectRelayed(withText({ type: 'image_url', image_url: image }))
    }
  })

  it.each([
    ['image/png', Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['image/webp', Buffer.from('RIFF\u0000\u0000\u0000\u0000WEBPVP8 ', 'latin1')],
    ['image/gif', Buffer.from('GIF87a\u0001\u0000', 'latin1')],
    // The extension block makes it an animation.
    ['image/gif', Buffer.from('GIF89a\u0001\u0000!\u00ff\u000bNETSCAPE2.0', 'latin1')],
  ])('[CHAT-33] an image in %s is accepted', async (type, bytes) => {
    await expectRelayed(
      withText({ type: 'image_url', image_url: { url: `data:${type};base64,${bytes.toString('base64')}` } }),
    )
  })

  it('[CHAT-34] a PDF is accepted as a data URI, with and without its name', async () => {
    for (const name of [{}, { filename: 'paper.pdf' }]) {
      await expectRelayed(withText({ type: 'file', file: { ...name, file_data: openPdf } }))
    }
  })

  it('[CHAT-35] a file by URL and a PDF under a password are refused and cost nothing', async () => {
    for (const data of ['https://files.example.com/a.pdf', 'http://10.0.0.1/a.pdf', lockedPdf]) {
      await expectRefused({ type: 'file', file: { filename: 'a.pdf', file_data: data } })
    }
    await expectRefused({
      type: 'file',
      file: { filename: 'a.pdf', file_data: lockedPdf.replace('application/pdf', 'Application/PDF') },
    })
  })

  it('[CHAT-36] audio is accepted as plain base64 with its format', async () => {
    for (const format of ['wav', 'mp3']) {
      const messages = withText({ type: 'input_audio', input_audio: { data: base64, format } })
      await expectRelayed(messages, 'openai/gpt-audio')
      await expectRelayed(messages, gemini)
    }
  })

  it('[CHAT-37] audio without a format, or as a data URI, is refused', async () => {
    for (const audio of [
      { data: base64 },
      { data: base64, format: '' },
      { data: `data:audio/wav;base64,${base64}`, format: 'wav' },
      { data: `DATA:audio/wav;base64,${base64}`, format: 'wav' },
    ]) {
      await expectRefused({ type: 'input_audio', input_audio: audio })
    }
  })

  it.each(['mp4', 'mpeg', 'mov', 'webm'])(
    '[CHAT-38] a video in %s is accepted by URL and as a data URI',
    async (format) => {
      for (const url of [`https://videos.example.com/a.${format}`, `data:video/${format};base64,${base64}`]) {
        await expectRelayed(withText({ type: 'video_url', video_url: { url } }), gemini)
      }
    },
  )
})

import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { describeRequest } from './choose-tier.ts'

const describeBody = (messages: JsonValue[], more: JsonObject = {}) =>
  describeRequest(chatDialect.parse({ model: 'auto', messages, ...more }), chatDialect)

const plain = {
  text: 'Hello',
  systemText: '',
  turnCount: 1,
  hasTools: false,
  hasImage: false,
  hasVideo: false,
  hasAudio: false,
  hasFile: false,
  wantsImage: false,
  wantsJson: false,
}
const hello = { role: 'user', content: 'Hello' }

describe('what the auto router is told of a request', () => {
  it('is little for one plain message', () => {
    expect(describeBody([hello])).toEqual(plain)
  })

  it('is the text of the last message of the user, and how long they have talked', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Yes?' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Second' },
          { type: 'text', text: 'line' },
        ],
      },
      { role: 'assistant', content: 'Well.' },
    ]
    expect(describeBody(messages)).toEqual({ ...plain, text: 'Second\nline', systemText: 'Be brief.', turnCount: 4 })
  })

  it('is what was asked before tools were called, not what they gave', () => {
    const messages = [
      { role: 'user', content: 'What is the weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'It rains.' },
    ]
    const tools = [{ type: 'function', function: { name: 'weather' } }]
    expect(describeBody(messages, { tools })).toMatchObject({ text: 'What is the weather?', hasTools: true })
  })

  it('is nothing where the user said nothing', () => {
    expect(describeBody([{ role: 'assistant', content: 'Hello?' }])).toEqual({ ...plain, text: '' })
  })

  it.each([
    ['hasImage', { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
    ['hasVideo', { type: 'video_url', video_url: { url: 'https://example.com/cat.mp4' } }],
    ['hasAudio', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
    ['hasFile', { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }],
  ])('says what the user shows: %s', (name, part) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, part] }]
    expect(describeBody(messages)).toEqual({ ...plain, text: 'Hello\n', [name]: true })
  })

  it('does not say what was shown before the last question', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    const messages = [{ role: 'user', content: [image] }, { role: 'assistant', content: 'A cat.' }, hello]
    expect(describeBody(messages)).toMatchObject({ text: 'Hello', hasImage: false })
  })

  it('says what the answer is to be', () => {
    expect(describeBody([hello], { response_format: { type: 'json_object' } })).toEqual({ ...plain, wantsJson: true })
    expect(describeBody([hello], { modalities: ['text', 'image'] })).toEqual({ ...plain, wantsImage: true })
    expect(describeBody([hello], { modalities: ['text'] })).toEqual(plain)
  })
})

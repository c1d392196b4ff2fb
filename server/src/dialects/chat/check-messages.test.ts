import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { checkMessages } from './check-messages.ts'

const asked = {
  role: 'assistant',
  tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const pdf = (text: string): string => `data:application/pdf;base64,${Buffer.from(text).toString('base64')}`
const withPart = (part: JsonValue): JsonValue[] => [{ role: 'user', content: [{ type: 'text', text: 'See' }, part] }]
const later = (message: JsonValue): JsonValue[] => [{ role: 'user', content: 'Hello' }, message]
const inFile = (file: JsonValue): JsonValue => ({ role: 'user', content: [{ type: 'file', file }] })

describe('messages of a chat', () => {
  it.each<[string, JsonValue[], string]>([
    ['no object', ['Hello'], 'messages[0] must be an object.'],
    ['no role', [{ content: 'Hello' }], 'messages[0].role must be a string.'],
    ['a role that is no string', [{ role: 1, content: 'Hello' }], 'messages[0].role must be a string.'],
    [
      'a role that is misspelt',
      [{ role: 'usr', content: 'Hello' }],
      'messages[0].role must be one of system, developer, user, assistant, tool, function.',
    ],
    ['content of another kind', [{ role: 'user', content: 5 }], 'messages[0].content must be a string or an array'],
    ['a part that is no object', withPart('Hello'), 'messages[0].content[1] must be an object with a `type`.'],
    ['a part without a type', withPart({ text: 'Hello' }), 'messages[0].content[1] must be an object with a `type`.'],
    ['text that is no string', withPart({ type: 'text', text: 5 }), 'messages[0].content[1].text must be a string.'],
    ['an image without a place', withPart({ type: 'image_url' }), '.image_url.url must be a string.'],
    ['an image with an empty place', withPart({ type: 'image_url', image_url: { url: '' } }), '.image_url.url must be'],
    ['a video without a place', withPart({ type: 'video_url', video_url: {} }), '.video_url.url must be a string.'],
    ['a file that is no object', withPart({ type: 'file', file: 'a' }), '.file must be an object.'],
    [
      'a file without data',
      withPart({ type: 'file', file: { filename: 'a' } }),
      '.file_data must be a base64 data URI.',
    ],
    ['a file at a URL', withPart({ type: 'file', file: { file_data: 'https://a.example/a.pdf' } }), 'URLs are not'],
    ['a locked PDF', withPart({ type: 'file', file: { file_data: pdf('trailer << /Encrypt 5 0 R >>') } }), 'password'],
    ['audio that is no object', withPart({ type: 'input_audio', input_audio: 'a' }), '.input_audio must be an object.'],
    ['audio without data', withPart({ type: 'input_audio', input_audio: { format: 'wav' } }), '.data must be base64.'],
    [
      'audio as a data URI',
      withPart({ type: 'input_audio', input_audio: { data: 'DATA:audio/wav;base64,AA==', format: 'wav' } }),
      'without a data URI prefix',
    ],
    ['audio of no format', withPart({ type: 'input_audio', input_audio: { data: 'AA==' } }), '.format is required'],
    [
      'audio of an empty format',
      withPart({ type: 'input_audio', input_audio: { data: 'AA==', format: '' } }),
      '.format is',
    ],
  ])('with %s are refused, and the place is named', (_what, messages, text) => {
    expect(() => checkMessages(messages)).toThrow(
      expect.objectContaining({ errorName: 'malformedRequest', message: expect.stringContaining(text) }),
    )
  })

  it.each(['system', 'user', 'tool'])('without content are refused for the role %s', (role) => {
    for (const content of [{}, { content: null }]) {
      expect(() => checkMessages([{ role, ...content }])).toThrow(
        expect.objectContaining({ errorName: 'missingRequiredField' }),
      )
    }
  })

  it.each<[string, JsonValue[]]>([
    ['names no call', [asked, { role: 'tool', content: 'x' }]],
    ['names a call that nobody made', [asked, { role: 'tool', tool_call_id: 'call_b', content: 'x' }]],
    ['comes before its call', [{ role: 'tool', tool_call_id: 'call_a', content: 'x' }, asked]],
    [
      'names a call that a user claims to have made',
      [
        { ...asked, role: 'user', content: 'x' },
        { role: 'tool', tool_call_id: 'call_a', content: 'x' },
      ],
    ],
    [
      'names a call without an id',
      [
        { role: 'assistant', tool_calls: [{ type: 'function' }, 'call_a'] },
        { role: 'tool', tool_call_id: 'call_a', content: 'x' },
      ],
    ],
  ])('with a result that %s are refused', (_what, messages) => {
    expect(() => checkMessages(messages)).toThrow(expect.objectContaining({ errorName: 'malformedToolMessages' }))
  })

  it('pass with everything else, and their images are counted', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a.example/a.png' } }
    const messages = [
      { role: 'function', name: 'f', content: 'As results were called before' },
      { role: 'user', content: [image, { type: 'file', file: { file_id: 'file-1' } }, image] },
      { role: 'user', content: [{ type: 'file', file: { file_data: pdf('no lock') } }] },
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } }] },
      asked,
      { role: 'tool', tool_call_id: 'call_a', content: 'x' },
    ]
    expect(checkMessages(messages)).toBe(2)
  })

  it.each<[JsonValue, string | number, string]>([
    [{ role: 'user' }, 'missing_required_field', 'messages[1].content is required.'],
    [{ role: 'tool', content: 'x' }, 'malformed_tool_messages', 'messages[1].tool_call_id is required.'],
    [
      { role: 'tool', tool_call_id: 'a', content: 'x' },
      'malformed_tool_messages',
      'messages[1].tool_call_id does not match an earlier tool call.',
    ],
    [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'ftp://a.example/a.png' } }] },
      'invalid_image_url',
      'messages[1].content[0].image_url.url is not a URL',
    ],
    [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://' } }] },
      'invalid_image_url',
      'messages[1].content[0].image_url.url is an http:// URL',
    ],
    // D6: if an unknown part were dropped, the model would answer another prompt.
    [
      { role: 'user', content: [{ type: 'zzz', text: 'Hello' }] },
      400,
      'messages[1].content[0].type is "zzz", which is not supported. Supported types: text, image_url, file, input_audio,',
    ],
    [
      { role: 'user', content: [{ type: 'video_url', video_url: { url: 5 } }] },
      400,
      'messages[1].content[0].video_url.url must be a string.',
    ],
    [inFile('a'), 400, 'messages[1].content[0].file must be an object.'],
    [inFile({ file_id: 5 }), 400, 'messages[1].content[0].file.file_data must be a base64 data URI.'],
    [inFile({ file_id: 'a', file_data: 'https://a.example/a.pdf' }), 400, '.file_data must be a base64 data URI; URLs'],
    [
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA==', format: 5 } }] },
      400,
      'messages[1].content[0].input_audio.format is required, for example "wav" or "mp3".',
    ],
  ])('are refused by the place of %j', (message, code, text) => {
    expect(() => checkMessages(later(message))).toThrow(refusal(code, text))
  })

  it.each(['/Encrypt 5 0 R', '/Encrypt  12 34 R', '/Encrypt 1  0  R', '/Encrypt<< /V 1 >>', '/Encrypt << /V 1 >>'])(
    'are refused with a PDF that says %s',
    (trailer) => {
      for (const uri of [pdf(trailer), pdf(trailer).replace('data:application/pdf', 'Data:Application/PDF;name=a')]) {
        expect(() => checkMessages([inFile({ file_data: uri })])).toThrow('password-protected PDF')
      }
    },
  )

  it.each(['/Encrypted 5 0 R', '/Encrypt 5 R', '/Encrypt 5 0 obj', '/Encrypt a b R', 'Encrypt <<'])(
    'pass with a PDF that says %s',
    (trailer) => {
      expect(checkMessages([inFile({ file_data: pdf(trailer) })])).toBe(0)
    },
  )

  it('pass with a file of another type, whatever it says', () => {
    const data = Buffer.from('/Encrypt << >>').toString('base64')
    for (const type of ['text/plain', 'text/plain;name=data:application/pdf']) {
      expect(checkMessages([inFile({ file_data: `data:${type};base64,${data}` })])).toBe(0)
    }
  })

  it.each<[string, JsonValue]>([
    ['an address', 'https://a.example/a.mp4'],
    ['a data URI', 'data:video/mp4;base64,AAAA'],
  ])('pass with a video as %s', (_what, url) => {
    expect(checkMessages([{ role: 'user', content: [{ type: 'video_url', video_url: { url } }] }])).toBe(0)
  })

  it.each<JsonValue>([undefined, null, 'Let me see'].map((content) => ({ ...asked, content }) as JsonValue))(
    '[CHAT-29] pass with the call %j and its result',
    (call) => {
      expect(checkMessages([call, { role: 'tool', tool_call_id: 'call_a', content: [] }])).toBe(0)
    },
  )

  it('pass with calls of another form, and their results are refused', () => {
    for (const calls of [[null], ['call_a'], [{ id: 5 }], [{}], { id: 'call_a' }]) {
      const said = { role: 'assistant', tool_calls: calls }
      expect(checkMessages([said])).toBe(0)
      expect(() => checkMessages([said, { role: 'tool', tool_call_id: 'call_a', content: 'x' }])).toThrow(
        expect.objectContaining({ errorName: 'malformedToolMessages' }),
      )
    }
  })
})

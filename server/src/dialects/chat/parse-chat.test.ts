import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { parseChat } from './parse-chat.ts'

const plain: JsonObject = { model: 'maker/model', messages: [{ role: 'user', content: 'Hello there' }] }
const tool = { type: 'function', function: { name: 'get' } }

describe('a chat request', () => {
  it('tells the pipeline what it must know', () => {
    // Eleven bytes are three tokens, and each message adds four.
    expect(parseChat(plain)).toEqual({
      modelName: 'maker/model',
      stream: false,
      maxTokens: null,
      choiceCount: 1,
      hasTools: false,
      promptTokensEstimate: 7,
      promptTokensHeld: 7,
      promptTokensMax: 15,
      body: plain,
    })
  })

  it.each<[JsonObject, JsonObject]>([
    [{ model: 'weir/maker/model' }, { modelName: 'maker/model' }],
    [{ model: 'maker/weir/' }, { modelName: 'maker/weir/' }],
    [{ stream: true }, { stream: true }],
    [{ stream: false }, { stream: false }],
    [{ stream: null }, { stream: false }],
    [{ max_tokens: 1 }, { maxTokens: 1 }],
    [{ max_tokens: null, max_completion_tokens: 9 }, { maxTokens: 9 }],
    [{ max_tokens: 5, max_completion_tokens: null }, { maxTokens: 5 }],
    [{ max_tokens: 5, max_completion_tokens: 9 }, { maxTokens: 9 }],
    [{ max_tokens: 9, max_completion_tokens: 5 }, { maxTokens: 5 }],
    [{ max_tokens: 2 ** 40 }, { maxTokens: 2_147_483_647 }],
    [{ n: 3 }, { choiceCount: 3 }],
    [{ n: null }, { choiceCount: 1 }],
    [{ tools: [] }, { hasTools: false }],
    [{ tools: [tool] }, { hasTools: true }],
    [{ tools: null }, { hasTools: false }],
    [{ modalities: ['text', 'image'] }, { imageCount: 1 }],
    [{ modalities: ['image'], n: 2 }, { imageCount: 2 }],
  ])('with %j is read as %j', (fields, read) => {
    expect(parseChat({ ...plain, ...fields })).toMatchObject(read)
  })

  it('counts the images that it shows, and orders none where it asks for text alone', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a.example/a.png' } }
    const messages = [{ role: 'user', content: [image, { type: 'text', text: 'Look' }, image] }]
    const call = parseChat({ ...plain, messages, modalities: ['text'] })
    expect(call.shownImages).toBe(2)
    expect(call).not.toHaveProperty('imageCount')
    expect(parseChat(plain)).not.toHaveProperty('shownImages')
  })

  it('may be what editors send for the Responses endpoint, and goes on as a chat request', () => {
    expect(parseChat({ model: 'maker/model', input: 'Hello there', max_output_tokens: 64 })).toMatchObject({
      maxTokens: 64,
      body: { messages: [{ role: 'user', content: 'Hello there' }], max_tokens: 64 },
    })
  })

  it.each<[string, JsonValue | undefined, string | number, string]>([
    ['model', undefined, 'missing_required_field', 'The field `model` is required.'],
    ['model', null, 'missing_required_field', 'The field `model` is required.'],
    ['model', 7, 400, '`model` must be a string.'],
    ['messages', undefined, 'missing_required_field', 'The field `messages` is required.'],
    ['messages', null, 'missing_required_field', 'The field `messages` is required.'],
    ['messages', 'Hello', 400, '`messages` must be an array.'],
    ['messages', {}, 400, '`messages` must be an array.'],
    ['messages', [], 400, '`messages` must contain at least one message.'],
    ['messages', [{ content: 'Hello' }], 400, 'messages[0].role must be a string.'],
    ['stream', 'true', 400, '`stream` must be true or false.'],
    ['max_tokens', 0, 'max_tokens_invalid', '`max_tokens` must be a positive integer.'],
    ['max_tokens', -1, 'max_tokens_invalid', '`max_tokens` must be'],
    ['max_tokens', 1.5, 'max_tokens_invalid', '`max_tokens` must be'],
    ['max_tokens', '9', 'max_tokens_invalid', '`max_tokens` must be'],
    ['max_tokens', 2 ** 53, 'max_tokens_invalid', '`max_tokens` must be'],
    ['max_completion_tokens', 0, 'max_tokens_invalid', '`max_completion_tokens` must be'],
    ['max_completion_tokens', 1.5, 'max_tokens_invalid', '`max_completion_tokens` must be'],
    ['temperature', 2.1, 400, '`temperature`'],
    ['n', 0, 400, '`n`'],
    ['tools', [{ type: 'function', function: {} }], 'invalid_tools_definition', 'tools[0]'],
    ['response_format', { type: 'json_schema' }, 'invalid_response_format_schema', '`response_format.json_schema`'],
  ])('is refused with `%s` of %j', (name, value, code, text) => {
    expect(() => parseChat({ ...plain, [name]: value })).toThrow(refusal(code, text))
  })
})

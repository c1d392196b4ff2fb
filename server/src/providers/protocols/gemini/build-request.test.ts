import { describe, expect, it } from 'vitest'
import type { CanonicalCall } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import { plainCall as plain } from '#test/samples/plain-call.ts'
import { googleAiStudio, googleVertex } from '#providers/vendors/google/index.ts'
import type { Target } from '#providers/protocol.ts'
import { buildRequest } from './build-request.ts'

const target: Target = {
  vendor: googleAiStudio,
  baseUrl: null,
  credential: 'secret',
  upstreamModel: 'gemini-2.5-flash',
  openAiFamily: false,
}

describe('where a call to Gemini goes', () => {
  it('names the model and the action in the path, and the key in its own header', () => {
    const whole = buildRequest(plain, target)
    expect(whole.origin + whole.path).toBe(
      'https://generativelanguage.googleapis.com/v1/models/gemini-2.5-flash:generateContent',
    )
    expect(whole.headers).toMatchObject({ 'x-goog-api-key': 'secret' })
    expect(whole.headers).not.toHaveProperty('authorization')
    const streamed = buildRequest({ ...plain, stream: true }, target)
    expect(streamed.path).toBe('/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse')
  })

  it('takes the address of a project on Vertex, whose token is added to the finished request', () => {
    const baseUrl = 'https://aiplatform.googleapis.com/v1/projects/p/locations/global'
    const where = { ...target, vendor: googleVertex, baseUrl, credential: null }
    const request = buildRequest({ ...plain, stream: true }, where)
    const path = '/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse'
    expect(request.origin + request.path).toBe(baseUrl + path)
    expect(request.headers).not.toHaveProperty('authorization')
  })

  it('can not be led elsewhere by a name', () => {
    const { path } = buildRequest(plain, { ...target, upstreamModel: '../x?y#z' })
    expect(path).toBe('/v1/models/..%2Fx%3Fy%23z:generateContent')
  })
})

describe('what a call to Gemini says', () => {
  it('is nothing but what the client said', () => {
    expect(bodyOf({})).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] })
  })

  it('has two roles that take turns, and instructions beside them', () => {
    const body = bodyOf({
      system: [{ kind: 'text', text: 'Be brief.' }],
      turns: [
        { role: 'user', parts: [{ kind: 'text', text: 'a' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'b' }] },
        { role: 'system', parts: [{ kind: 'text', text: 'c' }] },
        { role: 'assistant', parts: [{ kind: 'text', text: '' }] },
        { role: 'assistant', parts: [{ kind: 'text', text: 'd' }] },
      ],
    })
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] },
        { role: 'model', parts: [{ text: 'd' }] },
      ],
    })
  })

  it('has every kind of media', () => {
    const image = { kind: 'data', mediaType: 'image/png', base64: 'AA==' } as const
    const body = bodyOf({
      turns: [
        {
          role: 'user',
          parts: [
            { kind: 'image', source: image },
            { kind: 'image', source: { kind: 'url', url: 'https://example.com/a.webp?x=1' } },
            { kind: 'image', source: { kind: 'url', url: 'data:image/gif;base64,R0lG' } },
            { kind: 'file', source: { kind: 'url', url: 'https://example.com/paper' } },
            { kind: 'audio', base64: 'BB==', format: 'wav' },
            { kind: 'video', source: { kind: 'url', url: 'https://example.com/watch?v=1' } },
          ],
        },
      ],
    })
    expect(partsOf(body)).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AA==' } },
      { fileData: { mimeType: 'image/webp', fileUri: 'https://example.com/a.webp?x=1' } },
      { inlineData: { mimeType: 'image/gif', data: 'R0lG' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/paper' } },
      { inlineData: { mimeType: 'audio/wav', data: 'BB==' } },
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/watch?v=1' } },
    ])
  })

  it('has tools with their schemas whole, and the choice among them', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } }
    const tools = [
      { name: 'f', description: 'Does f.', parameters: { $schema: 'https://json-schema.org/x', ...schema } },
      { name: 'g', parameters: { type: 'object', properties: {} } },
    ]
    expect(bodyOf({ tools, toolChoice: { kind: 'tool', name: 'f' } })).toMatchObject({
      tools: [
        { functionDeclarations: [{ name: 'f', description: 'Does f.', parametersJsonSchema: schema }, { name: 'g' }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    })
    const modes = (['auto', 'none', 'required'] as const).map((kind) => bodyOf({ tools, toolChoice: { kind } }))
    expect(modes).toMatchObject(
      ['AUTO', 'NONE', 'ANY'].map((mode) => ({ toolConfig: { functionCallingConfig: { mode } } })),
    )
    expect(bodyOf({ toolChoice: { kind: 'required' } })).not.toHaveProperty('toolConfig')
  })

  it('has the sampling and the format', () => {
    const body = bodyOf({
      maxTokens: 100,
      choiceCount: 2,
      sampling: {
        temperature: 0,
        topP: 0.5,
        topK: 3,
        seed: 7,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        stop: ['END'],
      },
      responseFormat: { kind: 'schema', name: 'r', schema: { type: 'object' } },
      extras: { safety_settings: [{ category: 'c', threshold: 'OFF' }], modalities: ['text', 'image'] },
    })
    expect(body).toMatchObject({ safetySettings: [{ category: 'c', threshold: 'OFF' }] })
    expect(body.generationConfig).toEqual({
      temperature: 0,
      topP: 0.5,
      topK: 3,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      candidateCount: 2,
      seed: 7,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
      responseModalities: ['TEXT', 'IMAGE'],
    })
  })

  it.each([
    ['gemini-2.5-flash', { effort: 'medium' }, { includeThoughts: true, thinkingBudget: 8_192 }],
    ['gemini-2.5-flash', { budgetTokens: 99, exclude: true }, { includeThoughts: false, thinkingBudget: 99 }],
    ['gemini-2.5-flash', { enabled: true }, { includeThoughts: true }],
    ['gemini-2.5-flash', { enabled: false }, { includeThoughts: false, thinkingBudget: 0 }],
    ['gemini-2.5-pro', { effort: 'none' }, { includeThoughts: false, thinkingBudget: 128 }],
    ['gemini-3-pro-preview', { effort: 'xhigh' }, { includeThoughts: true, thinkingLevel: 'high' }],
    ['gemini-3-flash', { effort: 'novel' }, { includeThoughts: true, thinkingLevel: 'novel' }],
    ['gemini-3-flash', { effort: 'none' }, { includeThoughts: false, thinkingLevel: 'minimal' }],
  ])('asks %s to think as wished: %o', (upstreamModel, reasoning, thinkingConfig) => {
    const { body } = buildRequest({ ...plain, reasoning }, { ...target, upstreamModel })
    expect(parseJsonObject(body)?.generationConfig).toEqual({ thinkingConfig })
  })

  it('hears a wish for thinking in whatever field the client used', () => {
    const extras = { reasoning: { effort: 'low' }, thinking_budget: 9 }
    expect(buildRequest({ ...plain, reasoning: { effort: 'low' }, extras }, target).ignored).toEqual([])
  })

  it('thinks in the form that the operator says', () => {
    const includeThoughts = true
    const [level, budget] = [{ thinkingLevel: 'high' }, { thinkingBudget: 24_576 }]
    expect(configOf('gemini-2.5-flash', 'level')).toEqual({ thinkingConfig: { includeThoughts, ...level } })
    expect(configOf('gemini-3-flash', 'budget')).toEqual({ thinkingConfig: { includeThoughts, ...budget } })
  })

  it('leaves out what Gemini has no word for, and says so', () => {
    const call: CanonicalCall = {
      ...plain,
      parallelToolCalls: false,
      endUser: 'u',
      sampling: { minP: 0.1, topK: 0 },
      extras: { logit_bias: {}, cached_content: 'c', provider: {} },
    }
    const { body, ignored } = buildRequest(call, target)
    expect(ignored.toSorted()).toEqual(['logit_bias', 'min_p', 'parallel_tool_calls', 'user'])
    expect(Object.keys(parseJsonObject(body) ?? {})).toEqual(['contents', 'cachedContent'])
  })
})

function bodyOf(change: Partial<CanonicalCall>): JsonObject {
  return parseJsonObject(buildRequest({ ...plain, ...change }, target).body) ?? {}
}

function partsOf({ contents }: JsonObject): unknown {
  const [first] = Array.isArray(contents) ? contents : []
  return isJsonObject(first) ? first.parts : undefined
}

function configOf(upstreamModel: string, thinking: 'level' | 'budget') {
  const at = { ...target, upstreamModel, overrides: { thinking } }
  const { body } = buildRequest({ ...plain, reasoning: { effort: 'high' } }, at)
  return parseJsonObject(body)?.generationConfig
}

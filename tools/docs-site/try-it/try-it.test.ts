import { describe, expect, it } from 'vitest'
import { buildRequest, type TriedOperation } from './build-request.ts'
import { indentJson, readReply } from './read-reply.ts'

const operation: TriedOperation = {
  id: 'changeKey',
  method: 'PATCH',
  path: '/v1/keys/{id}',
  parameters: [
    { name: 'id', place: 'path', required: true },
    { name: 'organization', place: 'query', required: false },
  ],
  body: '{}',
  takesKey: true,
}

describe('a form of the reference', () => {
  it('sends what was typed, with the typed key alone', () => {
    const typed = { key: ' sk-weir-1 ', values: { id: 'a/b', organization: ' x ' }, body: '{"name": "é"}' }
    expect(buildRequest(operation, typed)).toEqual({
      path: '/v1/keys/a%2Fb?organization=x',
      init: {
        method: 'PATCH',
        headers: { authorization: 'Bearer sk-weir-1', 'content-type': 'application/json' },
        credentials: 'omit',
        body: '{"name": "é"}',
      },
    })
  })

  it('leaves out what was not typed', () => {
    const request = buildRequest(
      { ...operation, method: 'GET', body: null },
      { key: '', values: { id: '1' }, body: '' },
    )
    expect(request).toEqual({ path: '/v1/keys/1', init: { method: 'GET', headers: {}, credentials: 'omit' } })
  })

  it('says what is missing or no JSON', () => {
    expect(buildRequest(operation, { key: '', values: {}, body: '{}' })).toBe('id is required.')
    expect(buildRequest(operation, { key: '', values: { id: '1' }, body: '{' })).toMatch(/^The body is no JSON: /)
  })
})

describe('an answer', () => {
  it('is shown in lines with every digit that was sent', async () => {
    const shown = await shownOf(typed('{"cost":0.10000000000000000001,"a":[1,{}],"b":"{,:\\""}', 'application/json'))
    expect(shown.at(-1)).toBe(
      '{\n  "cost": 0.10000000000000000001,\n  "a": [\n    1,\n    {}\n  ],\n  "b": "{,:\\""\n}',
    )
  })

  it('is shown as it comes where it is a stream', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of ['data: 1\n\n', 'data: 2\n\n']) controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      },
    })
    const shown = await shownOf(typed(body, 'text/event-stream'))
    expect(shown).toEqual(['data: 1\n\n', 'data: 1\n\ndata: 2\n\n', 'data: 1\n\ndata: 2\n\n'])
  })

  it('is named by its type and size where it is no text', async () => {
    expect(await shownOf(typed(new Uint8Array(3), 'audio/mpeg'))).toEqual(['(audio/mpeg, 3 bytes)'])
    expect(await shownOf(new Response(null, { status: 204 }))).toEqual(['(no content)'])
  })

  it('that is empty JSON has no lines', () => {
    expect(indentJson('{"a":{},"b":[]}')).toBe('{\n  "a": {},\n  "b": []\n}')
  })
})

async function shownOf(response: Response): Promise<string[]> {
  const shown: string[] = []
  await readReply(response, (text) => shown.push(text))
  return shown
}

function typed(body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>, type: string): Response {
  return new Response(body, { headers: { 'content-type': type } })
}

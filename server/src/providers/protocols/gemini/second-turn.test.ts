import { describe, expect, it } from 'vitest'
import type { Turn } from '#domain/inference/call.ts'
import type { Part, ToolResultPart } from '#domain/inference/parts.ts'
import { assert } from '#lib/assert.ts'
import { buildContents } from './build-contents.ts'
import { asEvents, goldenStreams } from './fixtures/golden-streams.ts'
import { joinStreamParts } from '#domain/inference/join-stream-parts.ts'
import { plainCall } from '#test/samples/plain-call.ts'
import { readDocument } from './read-document.ts'
import { createStreamReader } from './stream-reader.ts'

const question: Turn = { role: 'user', parts: [{ kind: 'text', text: 'Weather?' }] }

describe('the second turn of a conversation with Gemini', () => {
  it('[P16] [P17] returns streamed calls signed as they came, and names the function of every result', () => {
    const parts = streamed(goldenStreams.parallelCalls)
    const results = [result('call_r3_2', 'noon'), result('fn-2', '{"sky":"blue"}'), result('call_r3_0', '{"sky":1}')]
    expect(
      contentsOf([question, said(parts), ...results.map((part): Turn => ({ role: 'user', parts: [part] }))]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'Weather?' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'get_weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln+/==' },
          { functionCall: { name: 'get_weather', args: { city: 'Rome' }, id: 'fn-2' } },
          { functionCall: { name: 'get_time', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'get_weather', response: { sky: 1 } } },
          { functionResponse: { name: 'get_weather', response: { sky: 'blue' }, id: 'fn-2' } },
          { functionResponse: { name: 'get_time', response: { output: 'noon' } } },
        ],
      },
    ])
  })

  it('[P17] returns every part of a document as it came', () => {
    const parts = [
      { text: 'Hm.', thought: true },
      { text: 'Look:', thoughtSignature: 'dGV4dA==' },
      { executableCode: { language: 'PYTHON', code: '1' }, thoughtSignature: 'Y29kZQ==' },
      { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' }, thoughtSignature: 'cGlj' },
      { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
      { functionCall: { name: 'g', args: {} } },
    ]
    expect(modelParts(documented(parts))).toEqual(parts)
  })

  it('[P17] returns a signature that was streamed after the text', () => {
    expect(modelParts(streamed(goldenStreams.thinkingTokens))).toEqual([
      { text: 'There are 3 é🙂.', thoughtSignature: 'RW5j' },
    ])
  })

  it.each<[string, Part[], object[]]>([
    ['before the text', [signature('s1'), { kind: 'text', text: 'a' }], [{ text: 'a', thoughtSignature: 's1' }]],
    ['alone', [signature('s1'), signature('s2')], ['s1', 's2'].map((each) => ({ text: '', thoughtSignature: each }))],
    ['before an unsigned call', [{ kind: 'text', text: 'a' }, signature('s1'), call('x')], [{ text: 'a' }, sent('s1')]],
    [
      'under the id of its call',
      [
        { kind: 'reasoning', text: '', encrypted: 's1', id: 'call_x', format: 'google' },
        { kind: 'text', text: 'a' },
        call('x'),
      ],
      [{ text: 'a' }, sent('s1')],
    ],
  ])('[P17] finds the place of a signature that a dialect moved: %s', (_place, parts, expected) => {
    expect(modelParts(parts)).toEqual(expected)
  })

  it('does not show the thoughts of others', () => {
    const parts: Part[] = [
      { kind: 'reasoning', text: 'Hm.', signature: 'abc', format: 'anthropic' },
      { kind: 'opaque', protocol: 'anthropic', value: { type: 'compaction' } },
      { kind: 'text', text: 'a' },
    ]
    expect(modelParts(parts)).toEqual([{ text: 'a' }])
  })

  it('excuses calls that nobody signed to models that insist, once a turn', () => {
    const expected = [sent('skip_thought_signature_validator'), sent(undefined)]
    expect(modelParts([call('x'), call('y')], 'gemini-3-pro')).toEqual(expected)
    expect(modelParts([call('x', 'mine'), call('y')], 'gemini-3-pro')).toEqual([sent('mine'), sent(undefined)])
    expect(modelParts([call('x')], 'gemini-2.5-pro')).toEqual([sent(undefined)])
  })

  it('joins the turns around one that is not shown', () => {
    const hidden = said([{ kind: 'reasoning', text: 'Hm.', format: 'unknown' }])
    expect(contentsOf([question, hidden, question])).toEqual([
      { role: 'user', parts: [{ text: 'Weather?' }, { text: 'Weather?' }] },
    ])
  })

  it('takes a repeated id for the latest call of that id', () => {
    const turns: Turn[] = [
      said([{ kind: 'tool-call', id: 'call_0', name: 'f', argumentsJson: '' }]),
      { role: 'user', parts: [result('call_0', 'one')] },
      said([{ kind: 'tool-call', id: 'call_0', name: 'g', argumentsJson: '' }]),
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'And?' },
          { ...result('call_0', 'no'), isError: true },
        ],
      },
    ]
    expect(contentsOf(turns)).toMatchObject([
      {},
      { parts: [{ functionResponse: { name: 'f', response: { output: 'one' } } }] },
      {},
      { parts: [{ functionResponse: { name: 'g', response: { error: 'no' } } }, { text: 'And?' }] },
    ])
  })

  it('[P16] orders results by their latest calls, though an id was used before', () => {
    const turns: Turn[] = [
      said([call('x')]),
      { role: 'user', parts: [result('call_x', '1')] },
      said([call('y'), call('x')]),
      { role: 'user', parts: [result('call_x', 'second'), result('call_y', 'first')] },
    ]
    const responses = ['first', 'second'].map((output) => ({ functionResponse: { response: { output } } }))
    expect(contentsOf(turns)).toMatchObject([{}, {}, {}, { parts: responses }])
  })

  it('takes what nests too deep for a text', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const calls: Part[] = [{ kind: 'tool-call', id: 'call_0', name: 'f', argumentsJson: deep }]
    expect(contentsOf([said(calls), { role: 'user', parts: [result('call_0', deep)] }])).toMatchObject([
      { parts: [{ functionCall: { args: { arguments: deep } } }] },
      { parts: [{ functionResponse: { response: { output: deep } } }] },
    ])
  })

  it('shows the pictures of a result after all results', () => {
    const source = { kind: 'data', mediaType: 'image/png', base64: 'AA==' } as const
    const pictured: ToolResultPart = { ...result('x', 'see'), content: [{ kind: 'image', source }] }
    const turns: Turn[] = [said([call('x'), call('y')]), { role: 'user', parts: [pictured, result('y', 'b')] }]
    expect(contentsOf(turns)).toMatchObject([
      {},
      { parts: [{ functionResponse: {} }, { functionResponse: {} }, { inlineData: { mimeType: 'image/png' } }] },
    ])
  })
})

function streamed(frames: readonly string[]): readonly Part[] {
  const reader = createStreamReader()
  const { choices } = joinStreamParts([...reader.push(asEvents(frames)), ...reader.end()])
  return choices[0]?.parts ?? []
}

function documented(parts: readonly object[]): readonly Part[] {
  const read = readDocument(Buffer.from(JSON.stringify({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })))
  assert(read.ok, 'the document is read')
  return read.reply.choices[0]?.parts ?? []
}

function said(parts: readonly Part[]): Turn {
  return { role: 'assistant', parts }
}

function result(callId: string, text: string): ToolResultPart {
  return { kind: 'tool-result', callId, content: [{ kind: 'text', text }] }
}

function signature(text: string): Part {
  return { kind: 'reasoning', text: '', signature: text, format: 'google' }
}

function call(id: string, signed?: string): Part {
  return {
    kind: 'tool-call',
    id: `call_${id}`,
    name: 'f',
    argumentsJson: '{}',
    ...(signed === undefined ? {} : { signature: signed }),
  }
}

function sent(thoughtSignature: string | undefined): object {
  return { functionCall: { name: 'f', args: {} }, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) }
}

function contentsOf(turns: readonly Turn[], model = 'gemini-2.5-pro'): unknown {
  return buildContents({ ...plainCall, turns }, model).contents
}

function modelParts(parts: readonly Part[], model?: string): unknown {
  const contents = contentsOf([question, said(parts)], model)
  return Array.isArray(contents) ? contents[1].parts : undefined
}

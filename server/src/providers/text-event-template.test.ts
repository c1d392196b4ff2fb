import { describe, expect, it } from 'vitest'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import { withTextTemplate } from './text-event-template.ts'

/** A reader of `{"id":…,"text":…}`, and the payloads that it had to parse. */
function reader(): { read: (payload: string) => StreamPart[]; parsed: string[] } {
  const parsed: string[] = []
  const read = withTextTemplate({
    readEvent: (payload) => {
      parsed.push(payload)
      const text = stringAt(parseJsonObject(payload) ?? {}, 'text') ?? ''
      return text === '' ? [] : [{ kind: 'text-added', choice: 3, text }]
    },
    textOf: ({ text }) => text,
  })
  return { read, parsed }
}

function textsOf(payloads: readonly string[]): { texts: string[]; parsed: string[] } {
  const { read, parsed } = reader()
  const parts = payloads.flatMap((payload) => read(payload))
  return { texts: parts.map((part) => ('text' in part ? part.text : part.kind)), parsed }
}

describe('a template of text events', () => {
  it('reads events that differ only in their text without parsing them, from the third on', () => {
    const payloads = ['a', 'b', 'c', 'd'].map((text) => `{"id":"x","text":"${text}"}`)
    expect(textsOf(payloads)).toEqual({ texts: ['a', 'b', 'c', 'd'], parsed: payloads.slice(0, 2) })
    const { read } = reader()
    expect(payloads.flatMap((payload) => read(payload)).at(-1)).toEqual({ kind: 'text-added', choice: 3, text: 'd' })
  })

  it('reads every escape as the parser does', () => {
    const literals = ['"a"', '"b"', '"\\u0041\\/\\"\\\\\\n"', '"\\ud800"', '"é\u2028😀"']
    const payloads = literals.map((literal) => `{"text":${literal}}`)
    expect(textsOf(payloads)).toEqual({
      texts: ['a', 'b', 'A/"\\\n', '\ud800', 'é\u2028😀'],
      parsed: payloads.slice(0, 2),
    })
  })

  it.each([
    ['another id', '{"id":"y","text":"c"}'],
    ['another member', '{"id":"x","text":"c","more":1}'],
    ['an empty text', '{"id":"x","text":""}'],
    ['no string', '{"id":"x","text":null}'],
    ['a second member in place of the text', '{"id":"x","text":"c","text":"d"}'],
    ['an unfinished string', '{"id":"x","text":"c\\"}'],
    ['a line break in the text', '{"id":"x","text":"c\n"}'],
    ['less than the template', '{"id":"x","text":}'],
  ])('parses an event with %s, and learns anew', (_name, odd) => {
    const alike = ['a', 'b', 'c', 'd', 'e'].map((text) => `{"id":"x","text":"${text}"}`)
    const [a = '', b = '', c = '', d = '', e = ''] = alike
    expect(textsOf([a, b, odd, c, d, e]).parsed).toEqual([a, b, odd, c, d])
  })

  it('takes no other member for the text', () => {
    const payloads = ['"a"', '"a"', '"b"'].map((id) => `{"id":${id},"text":"\\u0061"}`)
    expect(textsOf(payloads)).toEqual({ texts: ['a', 'a', 'a'], parsed: payloads })
  })
})

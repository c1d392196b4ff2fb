import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { HeadSwap } from './head-swap.ts'

const context = {
  id: 'gen-1',
  createdS: 1_790_000_000,
  model: 'acme/model',
  requestBody: {},
  excludeReasoning: false,
  frameBytesMax: 1_000,
  answerBytesMax: 1_000,
}
const theirs = '{"id":"chatcmpl-9","object":"x","created":5,"model":"m","system_fingerprint":"fp","choices":'
const ours =
  '{"id":"gen-1","object":"chat.completion.chunk","created":1790000000,"model":"acme/model","system_fingerprint":"fp","choices":'
const said = (content: string) => `[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]}`

/** A swap that has parsed frames with these payloads. */
function taught(...payloads: string[]): HeadSwap {
  const swap = new HeadSwap(context)
  for (const payload of payloads) swap.learn(Buffer.from(payload), JSON.parse(payload) as JsonObject)
  return swap
}

describe('the head of a chunk', () => {
  it('is ours once that of the upstream is known', () => {
    const swap = taught(theirs + said('a'))
    expect(swap.swap(theirs + said('b'))).toBe(ours + said('b'))
  })

  it('is not known before a frame was parsed', () => {
    expect(new HeadSwap(context).swap(theirs + said('a'))).toBeNull()
  })

  it('must be the very same', () => {
    const swap = taught(theirs + said('a'))
    expect(swap.swap(theirs.replace('fp', 'other') + said('b'))).toBeNull()
  })

  it('is learnt anew when it changes', () => {
    const other = theirs.replace('fp', 'other')
    const swap = taught(theirs + said('a'), other + said('a'))
    expect(swap.swap(other + said('b'))).toBe(ours.replace('fp', 'other') + said('b'))
    expect(swap.swap(theirs + said('b'))).toBeNull()
  })

  it('shows nothing of what the upstream bills, nor whose it is', () => {
    const head = '{"id":"c","provider":"p","usage":null,"x_groq":{"id":"r"},"service_tier":"s","choices":'
    expect(taught(head + said('a')).swap(head + said('b'))).toBe(
      ours.replace('"system_fingerprint":"fp"', '"service_tier":"s"') + said('b'),
    )
  })

  it('is written byte by byte, whatever it encodes', () => {
    const head = theirs.replace('fp', 'ü')
    const latin1 = Buffer.from(head + said('é')).toString('latin1')
    const swapped = taught(head + said('a')).swap(latin1)
    expect(Buffer.from(swapped ?? '', 'latin1').toString('utf8')).toBe(ours.replace('fp', 'ü') + said('é'))
  })

  it.each([
    ['has no choices', '{"id":"c","usage":null}'],
    ['has choices inside of something else', '{"id":"c","x":{"choices":[]}}'],
    ['has choices there as well', '{"id":"c","x":{"choices":[]},"choices":[]}'],
  ])('is not learnt from a frame that %s', (_what, payload) => {
    const swap = taught(payload)
    expect(swap.swap(payload)).toBeNull()
    expect(swap.swap(`{"id":"c","x":{"choices":${said('a')}`)).toBeNull()
  })
})

const choice = (members: string) => `[{"index":0,${members},"finish_reason":null}]}`

describe('a frame is parsed', () => {
  it.each([
    ['"delta":{"content":"a"}},\n{"index":1', 'a line end between members'],
    ['"delta":{"content":[{"type":"text"}]}', 'parts'],
    ['"delta":{"content" : [{"type":"text"}]}', 'parts after blanks'],
    ['"delta":{"reasoning":"a"}', 'reasoning'],
    ['"delta":{"reasoning_content":"a"}', 'reasoning by another name'],
    ['"error":{}', 'an error'],
    ['"delta":{"tool_calls":[]}', 'calls of tools'],
    ['"delta":{"function_call":{}}', 'a call of a function'],
    ['"provider":"p"', 'whose it is'],
    ['"x_groq":{}', 'usage by another name'],
    ['"base_resp":{}', 'an error by another name'],
    ['"native_finish_reason":null', 'a finish reason by another name'],
    ['"stop_reason":null', 'a finish reason by another name'],
    ['"delta":{"role":"assistant"}', 'a role'],
    ['"message":{}', 'a message'],
    ['"id":"c"', 'an id'],
    ['"object":"o"', 'the name of its kind'],
    ['"created":1', 'a time'],
    ['"model":"m"', 'a model'],
    ['"usage":{"prompt_tokens":1}', 'usage'],
    ['"usage" : {}', 'usage after blanks'],
  ])('where it has %s: %s', (members) => {
    expect(taught(theirs + said('a')).swap(theirs + choice(members))).toBeNull()
  })

  it.each([
    ['it ends', '[{"index":0,"delta":{},"finish_reason":"stop"}]}'],
    ['it ends, after blanks', '[{"index":0,"delta":{},"finish_reason" : "stop"}]}'],
    ['it has no index', '[{"delta":{"content":"a"},"finish_reason":null}]}'],
    ['it has no finish reason', '[{"index":0,"delta":{"content":"a"}}]}'],
    ['it is not whole', '[{"index":0,"delta":{"content":"a"},"finish_reason":null}]'],
  ])('where %s', (_what, rest) => {
    expect(taught(theirs + said('a')).swap(theirs + rest)).toBeNull()
  })

  it.each([
    ['the empty usage of every chunk', '"usage":null,"delta":{"content":"a"}'],
    ['such words in its text', String.raw`"delta":{"content":"\"role\": \"model\" \n"}`],
  ])('not for %s', (_what, members) => {
    expect(taught(theirs + said('a')).swap(theirs + choice(members))).toBe(ours + choice(members))
  })
})

it('a parsed chunk gets our head, and keeps the rest', () => {
  expect(new HeadSwap(context).dress({ id: 'c', object: 'o', created: 1, model: 'm', choices: [], extra: 1 })).toEqual({
    id: 'gen-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'acme/model',
    choices: [],
    extra: 1,
  })
})

import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import { one, two } from '#test/streams/dispatch-stage.ts'
import { type AnswerFacts, isServer, KeptAnswer, serverOf, writeKept } from './kept-answer.ts'

const id = '01990000-aaaa-7bbb-8ccc-ddddeeeeffff' as Uuid
const hex = '01990000aaaa7bbb8cccddddeeeeffff'
const own = { generationId: '01991111-2222-7333-8444-555566667777' as Uuid, createdS: 1_800_000_099 }
const ownHex = '01991111222273338444555566667777'
const costText = '17.123456789'
const usage = { ...noUsage, textOutput: 3 }

const facts: AnswerFacts = {
  createdS: 1_800_000_000,
  status: 200,
  contentType: null,
  ignored: ['logit_bias'],
  server: serverOf(one),
  isCharged: true,
  usage,
  finishReason: 'stop',
  nativeFinishReason: 'end_turn',
  output: null,
  costText,
}

function kept(written: { body?: string; end?: string }, change: Partial<AnswerFacts> = {}): KeptAnswer {
  const { body = '', end = '' } = written
  return new KeptAnswer(id, writeKept({ ...facts, ...change }, { body: [Buffer.from(body)], end }))
}

const endOf = (end: string): string => kept({ end }).for(own).end(nanoUsd(250_000n))

describe('a kept answer', () => {
  it('[NEXT-83] [NEXT-85] has the id, the time and the cost of the request that gets it', () => {
    const end = `{"id":"gen-${hex}","object":"chat.completion","created":1800000000,"model":"a/b","cost":${costText}}`
    const wanted = `{"id":"gen-${ownHex}","object":"chat.completion","created":1800000099,"model":"a/b","cost":0.00025}`
    expect(endOf(end)).toBe(wanted)
    expect(endOf(`${costText} é ${costText}`)).toBe('0.00025 é 0.00025')
    expect(endOf('')).toBe('')
  })

  it.each([
    ['Responses', `"resp_${hex}","object":"response","created_at":1800000000,"completed_at":1800000000,`],
    ['Responses that run', `"resp_${hex}","object":"response","created_at":1800000000,"completed_at":null,`],
    ['chunks', `"gen-${hex}","object":"chat.completion.chunk","created":1800000000}`],
  ])('[NEXT-83] has the times of %s', (_name, text) => {
    expect(endOf(text)).toBe(text.replace(hex, ownHex).replaceAll('1800000000', '1800000099'))
  })

  it('[NEXT-83] has the content of the first one, although it looks like an id or a time', () => {
    const content = `"created":1800000000 "created_at":1800000000 "gen-${hex.slice(1)}" 1800000000`
    expect(endOf(content)).toBe(content)
    const items = `"msg_${hex}_0","created":1800000000 "gen-${hex}","object":"x","created":18000000001`
    expect(endOf(items)).toBe(items.replaceAll(hex, ownHex))
  })

  it('keeps the other facts about the answer', () => {
    const { from, status, ignored, answer, ...rest } = kept({ end: '{}' }).for(own)
    expect({ from, status, ignored }).toEqual({ from: id, status: 200, ignored: ['logit_bias'] })
    expect(answer).toEqual({ usage, finishReason: 'stop', nativeFinishReason: 'end_turn' })
    expect(rest).not.toHaveProperty('contentType')
    expect(kept({}, { contentType: 'text/plain' }).for(own).contentType).toBe('text/plain')
    expect(rest.output()).toBeNull()
  })

  it('has the output items with ids of its own', () => {
    const output = [{ id: `msg_${hex}_0`, type: 'message' }]
    expect(kept({}, { output }).for(own).output()).toEqual([{ id: `msg_${ownHex}_0`, type: 'message' }])
  })

  it('was given by one candidate', () => {
    expect([one, two].map((each) => isServer(each, facts.server))).toEqual([true, false])
    expect(isServer({ ...one, upstreamModel: 'other' }, facts.server)).toBe(false)
    expect(isServer({ ...one, model: { ...one.model, id: 'other' } }, facts.server)).toBe(false)
  })
})

const frame = `data: {"id":"gen-${hex}","object":"chat.completion.chunk","created":1800000000,"choices":["é"]}\n\n`
const ownFrame = frame.replace(hex, ownHex).replace('1800000000', '1800000099')
const times = (count: number): string => frame.repeat(count)
const byteCount = Buffer.byteLength(frame)
const short = Math.floor(65_536 / byteCount)

describe('a stream', () => {
  it('is sent with its end if it is short', () => {
    const hit = kept({ body: times(short), end: `cost ${costText}` }).for(own)
    expect(hit.body().bytes).toHaveLength(0)
    expect(hit.end(nanoUsd(0n))).toBe(`${ownFrame.repeat(short)}cost 0`)
  })

  it('is sent before its end if it is long', () => {
    const hit = kept({ body: times(short + 1), end: `cost ${costText} of gen-${hex}` }).for(own)
    expect(hit.body().bytes.toString()).toBe(ownFrame.repeat(short + 1))
    expect(hit.end(nanoUsd(0n))).toBe(`cost 0 of gen-${ownHex}`)
  })

  it('counts the memory of its copies, and of text', () => {
    const head = writeKept(facts, { body: [], end: '' }).length
    expect(kept({ end: 'a'.repeat(1_000) }).byteCount).toBe(2_000)
    expect(head).toBeGreaterThan(0)
    expect(kept({ body: 'a'.repeat(70_000), end: 'b'.repeat(10) }).byteCount).toBe(210_020)
  })

  it('reuses only the memory of requests that have ended', () => {
    const answer = kept({ body: times(short + 1) })
    const [first, second] = [answer.for(own).body(), answer.for(own).body()]
    expect(second.bytes).not.toBe(first.bytes)
    first.release()
    const third = answer.for({ ...own, createdS: 1_800_000_100 }).body()
    expect(third.bytes).toBe(first.bytes)
    expect(third.bytes.toString()).toBe(ownFrame.replace('1800000099', '1800000100').repeat(short + 1))
    expect(second.bytes.toString()).toBe(ownFrame.repeat(short + 1))
  })

  it('remembers two copies at most', () => {
    const answer = kept({ body: times(short + 1) })
    const copies = [1, 2, 3].map(() => answer.for(own).body())
    for (const { release } of copies) release()
    const again = [1, 2, 3].map(() => answer.for(own).body().bytes)
    const known = copies.map(({ bytes }) => bytes)
    expect(again.filter((bytes) => known.includes(bytes))).toHaveLength(2)
    assert(again[2] !== undefined, 'there are three')
    expect(known).not.toContain(again[2])
  })
})

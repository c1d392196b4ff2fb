import { describe, expect, it } from 'vitest'
import { nestingFailure } from './nested-answer.ts'

const nested = (depth: number) => Buffer.from(`{"id":"a","choices":${'['.repeat(depth)}${']'.repeat(depth)}}`)

describe('C7: a document of an upstream', () => {
  it('may nest a thousand levels and not one more', () => {
    expect(nestingFailure(nested(999))).toBeNull()
    expect(nestingFailure(nested(1_000))).toEqual({
      kind: 'broken',
      message: 'The upstream sent an answer that is nested too deeply.',
    })
  })

  it('may have as many brackets in its texts as it likes', () => {
    expect(nestingFailure(Buffer.from(JSON.stringify({ text: '['.repeat(10_000) })))).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { parseGenerationId, publicGenerationId } from './generation-id.ts'

describe('a public generation id', () => {
  it('leads back to the same generation, with or without dashes', () => {
    const id = newUuid(1_800_000_000_000)
    expect(publicGenerationId(id)).toMatch(/^gen-[0-9a-f]{32}$/)
    expect(parseGenerationId(publicGenerationId(id))).toBe(id)
    expect(parseGenerationId(`gen-${id.toUpperCase()}`)).toBe(id)
  })

  it('is nothing else', () => {
    for (const text of [
      '',
      'gen-',
      'gen-1',
      `chatcmpl-${'0'.repeat(32)}`,
      `gen-${'0'.repeat(33)}`,
      `gen-${'g'.repeat(32)}`,
      `xgen-${'0'.repeat(32)}`,
    ]) {
      expect(parseGenerationId(text), text).toBeUndefined()
    }
  })
})

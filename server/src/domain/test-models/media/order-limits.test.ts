import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { mediaScriptFor } from './media-script.ts'

const statusOf = (path: string, fields: JsonObject) => mediaScriptFor({ path, body: JSON.stringify(fields) })?.status
const texts = (count: number) => Array.from({ length: count }, () => 'a')

describe('C5: an order to a test model', () => {
  it.each<[string, JsonObject, number]>([
    ['/embeddings', { input: texts(256) }, 200],
    ['/embeddings', { input: texts(257) }, 400],
    ['/embeddings', { input: texts(16), dimensions: 4_096 }, 200],
    ['/embeddings', { input: texts(17), dimensions: 4_096 }, 400],
    // Larger dimensions are clamped to the maximum.
    ['/embeddings', { input: texts(16), dimensions: 1_000_000 }, 200],
    ['/embeddings', { input: texts(2_048), dimensions: 4_096 }, 400],
    ['/embeddings', { input: 'a'.repeat(100_000) }, 200],
    ['/embeddings', { input: 'a'.repeat(100_001) }, 400],
    ['/embeddings', { input: ['a'.repeat(50_000), 'a'.repeat(50_001)] }, 400],
    ['/embeddings', { input: [Array.from({ length: 12_501 }, () => 1)] }, 400],
    ['/images/generations', { prompt: 'a'.repeat(100_000), n: 10 }, 200],
    ['/images/generations', { prompt: 'a'.repeat(100_001) }, 400],
    ['/images/edits', { prompt: 'a'.repeat(100_001) }, 400],
    ['/rerank', { query: 'a'.repeat(50_000), documents: ['a'.repeat(50_000)] }, 200],
    ['/rerank', { query: 'a'.repeat(50_000), documents: ['a'.repeat(50_001)] }, 400],
    ['/moderations', { input: 'a'.repeat(100_000) }, 200],
    ['/moderations', { input: ['a'.repeat(50_000), 'a'.repeat(50_001)] }, 400],
    ['/moderations', { input: [{ type: 'text', text: 'a'.repeat(100_001) }] }, 400],
    ['/audio/speech', { input: 'a '.repeat(50_000) }, 200],
    ['/audio/speech', { input: 'a '.repeat(50_001) }, 400],
    ['/audio/transcriptions', { prompt: 'a'.repeat(100_001) }, 400],
  ])('%s is bounded in texts and numbers', (path, fields, status) => {
    expect(statusOf(path, fields)).toBe(status)
  })
})

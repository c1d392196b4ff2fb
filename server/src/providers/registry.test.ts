import { describe, expect, it } from 'vitest'
import { findVendor, vendors } from './registry.ts'

describe('the registry', () => {
  it.each(Object.entries(vendors))('knows %s by its own slug', (slug, vendor) => {
    expect(vendor.slug).toBe(slug)
    expect(findVendor(slug)).toBe(vendor)
    expect(vendor.baseUrl ?? 'https://given.example/v1').toMatch(/^https:\/\/[^?#]+[^/?#]$/)
  })

  it('knows no vendor by a name that every object has', () => {
    expect(findVendor('constructor')).toBeUndefined()
    expect(findVendor('__proto__')).toBeUndefined()
    expect(findVendor('nobody')).toBeUndefined()
  })

  it('gives a base URL unless it names something of the operator', () => {
    const given = Object.values(vendors).filter(({ baseUrl }) => baseUrl === null)
    expect(given.map(({ slug }) => slug)).toEqual([
      'amazon-bedrock',
      'azure',
      'cloudflare',
      'google-vertex',
      'llama-cpp',
      'ollama',
      'vllm',
    ])
  })
})

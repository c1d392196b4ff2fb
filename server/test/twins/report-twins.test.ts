import { expect, it } from 'vitest'
import type { VendorSlug } from '#providers/registry.ts'
import { has } from './report-twins.ts'

it.each<[VendorSlug, boolean, boolean]>([
  // Whether the provider generates images, and whether it edits them.
  ['nebius', true, false],
  ['venice', true, false],
  ['z-ai', true, false],
  ['zhipu-cn', true, false],
  ['openai', true, true],
  ['xai', true, true],
  ['together', true, true],
  ['groq', false, false],
])('V17: %s is listed with images: %s, with edits: %s', (slug, images, edits) => {
  expect([has(slug, 'images'), has(slug, 'edits')]).toEqual([images, edits])
})

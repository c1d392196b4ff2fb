import { expect, it } from 'vitest'
import { imageTokensMax } from './image-tokens-max.ts'

it.each([
  ['claude-opus-4-7', 'anthropic/claude-opus-4.7', 4_800],
  ['us.anthropic.claude-sonnet-4-5-v1:0', 'anthropic/claude-sonnet-4.5', 4_800],
  ['gpt-4o-mini', 'openai/gpt-4o-mini', 48_200],
  ['gpt-4o', 'openai/gpt-4o', 4_000],
  ['my-deployment', 'openai/gpt-4.1-nano', 4_000],
  ['my-deployment', 'openai/gpt-4o-mini', 48_200],
  ['gpt-5', 'openai/gpt-5', 4_000],
  ['gpt-5-mini', 'openai/gpt-5-mini', 4_000],
  ['gpt-5.2', 'openai/gpt-5.2', 4_000],
  ['gpt-5.4', 'openai/gpt-5.4', 16_384],
  ['o3', 'openai/o3', 4_000],
  ['o4-mini', 'openai/o4-mini', 4_000],
  ['gpt-oss-120b', 'openai/gpt-oss-120b', 16_384],
  ['gemini-2.5-pro', 'google/gemini-2.5-pro', 16_384],
  ['qwen3-vl-235b', 'qwen/qwen3-vl', 16_384],
  ['model-x', 'maker/model-x', 16_384],
])('C4: %s (%s) counts at most %i tokens for an image', (upstreamModel, model, tokens) => {
  expect(imageTokensMax(upstreamModel, model)).toBe(tokens)
})

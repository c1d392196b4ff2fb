import type { Model } from '#domain/catalogue/model.ts'
import { answerWordsMax, figuredTestModels, fixedTestModels } from './known-test-models.ts'
import { mediaTestModels } from './media-test-models.ts'
import { parseTestId } from './parse-test-id.ts'
import { freeTestPrice, pricedTestPrice } from './test-price.ts'

/** The catalogue entry of a test model, listed or not: `test/slow-250` is valid although it is not listed. */
export function testModel(id: string): Model | undefined {
  const media = mediaTestModels.get(id)
  if (media !== undefined) return media
  const parsed = parseTestId(id)
  if (parsed === undefined) return undefined
  const description =
    'figure' in parsed ? figuredTestModels[parsed.name].describe(parsed.figure) : fixedTestModels[parsed.name]
  return entry(id, description)
}

export function listedTestModels(): Model[] {
  const fixed = Object.entries(fixedTestModels).map(([name, description]) => entry(`test/${name}`, description))
  const figured = Object.entries(figuredTestModels).flatMap(([name, { samples, describe }]) =>
    samples.map((figure) => entry(`test/${name}-${figure}`, describe(figure))),
  )
  return [...fixed, ...figured, ...mediaTestModels.values()]
}

const freePrice = freeTestPrice('prompt', 'completion')

const contextLength = 128_000

function entry(id: string, description: string): Model {
  const price = id === 'test/priced' ? pricedTestPrice : freePrice
  return {
    id,
    name: `Test: ${id.slice('test/'.length)}`,
    author: 'test',
    kind: 'chat',
    description,
    contextLength,
    maxCompletionTokens: answerWordsMax,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: [
      'max_tokens',
      'max_completion_tokens',
      'parallel_tool_calls',
      'response_format',
      'tool_choice',
      'tools',
    ],
    defaultProvider: 'test',
    upstreamModel: id,
    aliases: [],
    releasedAtMs: null,
    retiresAtMs: null,
    listed: true,
    details: {},
    price,
    offers: [
      {
        provider: 'test',
        variant: '',
        upstreamModel: id,
        contextLength,
        maxCompletionTokens: answerWordsMax,
        quantization: null,
        price,
      },
    ],
  }
}

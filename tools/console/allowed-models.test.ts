import { expect, it } from 'vitest'
import { judgeLayers, type LayerPatterns } from '../../console/src/pages/allowed-models/judge-layers.ts'
import { judgeModel } from '../../server/src/domain/access/judge-model.ts'

const models = ['openai/gpt-5.2', 'openai/gpt-5.2:free', 'openai-labs/gpt', 'anthropic/claude', 'test/echo']
const lists = [
  [],
  ['openai/*'],
  ['openai/gpt-5.2'],
  ['anthropic/*', 'test/echo'],
  ['openai/gpt-5.2:free', 'openai-labs/*'],
  ['nobody/nothing'],
]

it('the console says of every model what the gateway decides, whatever the layers', () => {
  for (const organization of lists) {
    for (const team of lists) {
      for (const member of lists) {
        const layers: LayerPatterns = { organization, team, member }
        const said = [organization, team, member].filter((patterns) => patterns.length > 0)
        for (const model of models) {
          const verdict = judgeLayers(layers, model)
          expect(verdict.isAllowed, `${model} ${JSON.stringify(layers)}`).toBe(judgeModel(said, model).allowed)
          if (verdict.isAllowed) continue
          const blamed = verdict.excludedBy.map((layer) => judgeModel([layers[layer]], model).allowed)
          expect(blamed.length).toBeGreaterThan(0)
          expect(blamed).not.toContain(true)
        }
      }
    }
  }
})

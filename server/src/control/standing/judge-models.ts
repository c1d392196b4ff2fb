import { type Finding, ok, warning } from './finding.ts'

export interface ModelFacts {
  readonly id: string
  readonly isPriced: boolean
  /** Some enabled account and route can be asked for it. */
  readonly isServed: boolean
}

const namedMax = 3

export function judgeModels(models: readonly ModelFacts[]): Finding[] {
  if (models.length === 0) {
    return [warning('models', 'the catalogue is empty', 'weir catalogue import: docs/recipes/import-a-catalogue.md')]
  }
  const served = models.filter(({ isServed }) => isServed).length
  const says = `${models.length} in the catalogue, ${served} of them served`
  return [
    served > 0
      ? ok('models', says)
      : warning('models', `${says}: clients can call none`, 'weir provider add, then weir catalogue list --unserved'),
    ...judgeUnpriced(models.filter(({ isPriced }) => !isPriced)),
  ]
}

function judgeUnpriced(unpriced: readonly ModelFacts[]): Finding[] {
  if (unpriced.length === 0) return []
  const named = unpriced.slice(0, namedMax).map(({ id }) => id)
  const more = unpriced.length > namedMax ? ` and ${unpriced.length - namedMax} more` : ''
  return [
    warning('prices', `no price for ${named.join(', ')}${more}: calls are refused`, 'weir catalogue list --unpriced'),
  ]
}

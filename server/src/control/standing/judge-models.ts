import { type Finding, ok, warning } from './finding.ts'

interface ModelFacts {
  readonly id: string
  readonly isPriced: boolean
  /** At least one provider's price for the model lacks `cache_read`. */
  readonly isIncomplete: boolean
  /** At least one enabled account and route serve the model. */
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
      : warning(
          'models',
          `${says}: clients can't call any model`,
          'weir provider add, then weir catalogue list --unserved',
        ),
    ...judgeUnpriced(models.filter(({ isPriced }) => !isPriced)),
    ...judgeIncomplete(models.filter(({ isIncomplete, isServed }) => isIncomplete && isServed)),
  ]
}

function judgeUnpriced(unpriced: readonly ModelFacts[]): Finding[] {
  if (unpriced.length === 0) return []
  return [warning('prices', `no price for ${namesOf(unpriced)}: calls are rejected`, 'weir catalogue list --unpriced')]
}

/** This is not a fault of the service: most sources lack such prices, and the charge is never too low. */
function judgeIncomplete(incomplete: readonly ModelFacts[]): Finding[] {
  if (incomplete.length === 0) return []
  const where = `no cache_read price at some provider of ${namesOf(incomplete)}`
  return [ok('cache prices', `${where}: cached tokens cost the full input price (weir catalogue list --incomplete)`)]
}

function namesOf(models: readonly ModelFacts[]): string {
  const named = models.slice(0, namedMax).map(({ id }) => id)
  return `${named.join(', ')}${models.length > namedMax ? ` and ${models.length - namedMax} more` : ''}`
}

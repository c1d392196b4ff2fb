import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { countIncomplete } from '../../server/src/control/catalogue/count-priced.ts'
import { officialPriceOf } from '../../server/src/control/catalogue/official-prices.ts'
import { readCatalogueText } from '../../server/src/control/catalogue/read-catalogue-text.ts'
import { isJsonObject, type JsonObject, objectAt } from '../../server/src/lib/json.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { currentModels } from './current-models.ts'
import { deriveStarter } from './derive-starter.ts'
import { isVerified } from './is-verified.ts'
import { writeStarter } from './write-starter.ts'

// `npm run starter -- MODELS.JSON DATE`: derives server/catalogue/starter.json from a file of facts gathered on that
// date. Disagreements between the sources are read from price_disagreements.json beside it.
const [file, date] = process.argv.slice(2)
if (file === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date ?? '')) {
  console.error('Usage: npm run starter -- MODELS.JSON YYYY-MM-DD')
  process.exit(2)
}
const models: unknown = JSON.parse(readFileSync(file, 'utf8'))
const disagreements = readObject(join(dirname(file), 'price_disagreements.json'))
if (!Array.isArray(models)) throw new Error(`${file} is must be an array of models`)
const starter = deriveStarter({ models: withCurrent(models.filter(isJsonObject)), disagreements }, isVerified)
const text = writeStarter(starter.models, date ?? '')
writeFileSync(join(repositoryRoot, 'server/catalogue/starter.json'), text)
console.log(`${starter.models.length} models, ${starter.disputed} of them with a disputed price`)
const { prices, incomplete } = countIncomplete(readCatalogueText(text).rows)
console.log(`${incomplete} of ${prices} chat prices without cache_read`)
for (const [reason, count] of Object.entries(starter.leftOut)) console.log(`left out, ${reason}: ${count}`)

function withCurrent(gathered: readonly JsonObject[]): JsonObject[] {
  const replaced = new Set(currentModels.map(({ id }) => id))
  const all = [...gathered.filter(({ id }) => !replaced.has(id)), ...currentModels.map(withOfficialPrice)]
  return all.toSorted((left, right) => (String(left['id']) < String(right['id']) ? -1 : 1))
}

function withOfficialPrice(model: JsonObject): JsonObject {
  const [provider, upstreamModel] = [String(model['provider']), String(model['upstream_model_id'])]
  const official = officialPriceOf({ provider, variant: '', upstreamModel })
  if (official === undefined) throw new Error(`there is no official price of ${String(model['id'])}`)
  return { ...model, pricing: { ...objectAt(model, 'pricing'), ...official.units } }
}

function readObject(path: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isJsonObject(value)) throw new Error(`${path} is not an object`)
  return value
}

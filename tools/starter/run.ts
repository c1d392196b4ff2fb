import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../server/src/lib/json.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { deriveStarter } from './derive-starter.ts'
import { isVerified } from './is-verified.ts'
import { writeStarter } from './write-starter.ts'

// `npm run starter -- MODELS.JSON DATE`: derives server/catalogue/starter.json from a file of facts that was gathered on that day.
// What the sources of the facts do not agree on is read from price_disagreements.json beside it.
const [file, date] = process.argv.slice(2)
if (file === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date ?? '')) {
  console.error('Usage: npm run starter -- MODELS.JSON YYYY-MM-DD')
  process.exit(2)
}
const models: unknown = JSON.parse(readFileSync(file, 'utf8'))
const disagreements = readObject(join(dirname(file), 'price_disagreements.json'))
if (!Array.isArray(models)) throw new Error(`${file} is not a list of models`)
const starter = deriveStarter({ models: models.filter(isJsonObject), disagreements }, isVerified)
writeFileSync(join(repositoryRoot, 'server/catalogue/starter.json'), writeStarter(starter.models, date ?? ''))
console.log(`${starter.models.length} models, ${starter.disputed} of them with a disputed price`)
for (const [reason, count] of Object.entries(starter.leftOut)) console.log(`left out, ${reason}: ${count}`)

function readObject(path: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isJsonObject(value)) throw new Error(`${path} is not an object`)
  return value
}

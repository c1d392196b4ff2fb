import { countPriced } from '#control/catalogue/count-priced.ts'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { readTextFile } from '../read-text-file.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const catalogueImport: Command = {
  words: 'catalogue import',
  summary: 'Import models, offers and prices from a JSON file; all of it or nothing. Changed prices add a version.',
  positionals: ['file'],
  options: {
    replace: { type: 'boolean', description: 'The file is everything there is: models it does not name are unlisted.' },
  },
  async run(input) {
    const parsed = parseCatalogueFile(parseJson(readTextFile(input.argument(0), { what: 'The file' })))
    if (!parsed.accepted) {
      const shown = parsed.problems.map(({ path, reason }) => `  ${path}: ${reason}`)
      const message = [`The file is refused for ${parsed.problemCount} reasons:`, ...shown].join('\n')
      throw new GatewayError('malformedRequest', { message })
    }
    return withSession(async ({ pool }) => {
      const options = { replace: input.flag('replace') }
      const report = await createCatalogueStore(pool).import(parsed.rows, Date.now(), options)
      const priced = countPriced(parsed.rows)
      const lines = [
        ...Object.entries(report).map(([name, count]) => `${name}: ${count}`),
        ...priced.map((each) => `priced ${each.kind}: ${each.priced} of ${each.models}`),
      ]
      return { lines, data: { ...report, priced: priced.map((each) => ({ ...each })) } }
    })
  },
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('malformedRequest', { message: 'The file is not JSON.', cause })
  }
}

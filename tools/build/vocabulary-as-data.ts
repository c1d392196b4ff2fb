import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

const fileName = 'o200k_base.json'

/**
 * Writes the vocabulary of the token counter as a file of JSON beside the modules. As 200,000 literals of a module it took 35 MB more of every gateway, for good.
 */
export function vocabularyAsData(folder: string): Plugin {
  return {
    name: 'vocabulary-as-data',
    load: {
      filter: { id: /gpt-tokenizer\/esm\/bpeRanks\/o200k_base\.js$/ },
      handler: async (id) => {
        const { default: ranks } = await import(pathToFileURL(id).href)
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, fileName), JSON.stringify(ranks))
        return [
          `import { readFileSync } from 'node:fs'`,
          `export default JSON.parse(readFileSync(new URL('./${fileName}', import.meta.url), 'utf8'))`,
        ].join('\n')
      },
    },
  }
}

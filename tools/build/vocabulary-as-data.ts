import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { readVocabulary } from '../../server/src/lib/read-vocabulary.ts'

const fileName = 'o200k_base.bin'

/**
 * Writes the vocabulary of the token counter as a file beside the modules, packed as the counter reads it. As 200,000
 * literals of a module it cost every gateway 35 MB permanently, and as JSON a fifth of a second to read.
 */
export function vocabularyAsData(folder: string): Plugin {
  return {
    name: 'vocabulary-as-data',
    load: {
      filter: { id: /server\/src\/lib\/read-vocabulary\.ts$/ },
      handler: async () => {
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, fileName), await readVocabulary())
        return [
          `import { readFile } from 'node:fs/promises'`,
          `export const readVocabulary = () => readFile(new URL('./${fileName}', import.meta.url))`,
        ].join('\n')
      },
    },
  }
}

import type { Finding } from '../lib/finding.ts'
import { isTest } from '../lib/source-file.ts'
import { mayImport, placeOf } from './layers.ts'
import type { Module } from './read-modules.ts'

/** A folder imports only the folders in its row; every file belongs to a folder that has a row. */
export function judgeLayers(modules: readonly Module[]): Finding[] {
  return modules.flatMap(({ path, tree, folder, imports }) => {
    if (!Object.hasOwn(tree.layers, folder)) {
      const message = `stands in none of the folders ${Object.keys(tree.layers).join(', ')}`
      return [{ rule: 'unknown-folder', path, message }]
    }
    return imports.flatMap(({ target, specifier, line }) => {
      // An undeclared alias leads to no file. Another rule reports it.
      if (target === undefined || target.startsWith('#')) return []
      if (isTest(target)) return [{ rule: 'layer', path, line, message: `imports the test ${specifier}` }]
      if (mayImport(tree, folder, target)) return []
      const from = folder === '' ? path : folder
      return [{ rule: 'layer', path, line, message: `${from} may not import ${nameOf(target, path)} (${specifier})` }]
    })
  })
}

/** The folder of a file, with its tree unless the importing file is in the same one. */
function nameOf(target: string, importer: string): string {
  const place = placeOf(target)
  if (place === undefined) return 'a file outside of all trees'
  const { tree, folder } = place
  if (folder === '') return target
  return placeOf(importer)?.tree === tree ? folder : `${tree.root}${folder}`
}

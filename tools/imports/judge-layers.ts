import type { Finding } from '../lib/finding.ts'
import { isTest } from '../lib/source-file.ts'
import { isLayer, layers, mayImport } from './layers.ts'
import { folderOf, type Module } from './read-modules.ts'

/** A folder imports only the folders its row names; a file belongs to one of the named folders. */
export function judgeLayers(modules: readonly Module[]): Finding[] {
  return modules.flatMap((module) => {
    const { path, folder } = module
    if (!isLayer(folder)) {
      const message = `stands in none of the folders ${Object.keys(layers).join(', ')}`
      return [{ rule: 'unknown-folder', path, message }]
    }
    return module.imports.flatMap(({ target, specifier, line }) => {
      if (target === undefined) return []
      if (isTest(target)) return [{ rule: 'layer', path, line, message: `imports the test ${specifier}` }]
      const to = folderOf(target) ?? 'outside of src'
      return mayImport(folder, to)
        ? []
        : [{ rule: 'layer', path, line, message: `${folder} may not import ${to} (${specifier})` }]
    })
  })
}

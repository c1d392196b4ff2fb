import { parseDocument } from 'yaml'
import { ConfigError } from './config-error.ts'

/**
 * A tag that YAML does not know is refused as well. Problems name a place and never quote the file, which may hold
 * secrets.
 */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) {
    const [place] = problem.linePos ?? []
    const where = place === undefined ? '' : ` at line ${place.line}, column ${place.col}`
    throw new ConfigError([
      `the configuration file is not valid YAML: ${problem.code.toLowerCase().replaceAll('_', ' ')}${where}`,
    ])
  }
  try {
    return document.toJS()
  } catch {
    // An alias without an anchor, or aliases that multiply.
    throw new ConfigError(['the configuration file is not valid YAML: an alias cannot be resolved'])
  }
}

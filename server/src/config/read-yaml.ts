import { parseDocument } from 'yaml'
import { ConfigError } from './config-error.ts'

/** Rejects unknown YAML tags too. Messages name a position and never quote the file, which may hold secrets. */
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
    // An alias has no anchor, or aliases expand without bound.
    throw new ConfigError(['the configuration file is not valid YAML: an alias cannot be resolved'])
  }
}

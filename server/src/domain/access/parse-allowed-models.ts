import { isModelId } from '#domain/catalogue/model-id.ts'

export const allowedModelsMax = 200
const patternLengthMax = 100

type ParsedModels =
  | { readonly accepted: true; readonly patterns: readonly string[] }
  | { readonly accepted: false; readonly problem: string }

/** Parses a list of patterns and removes duplicates. The error names the first invalid entry. */
export function parseAllowedModels(value: unknown): ParsedModels {
  if (!Array.isArray(value)) return refused('`allowedModels` must be an array of strings.')
  if (value.length > allowedModelsMax) {
    return refused(`\`allowedModels\` can have at most ${allowedModelsMax} entries, not ${value.length}.`)
  }
  const patterns = new Set<string>()
  for (const [position, entry] of value.entries()) {
    const problem = problemOf(entry)
    if (problem !== null) return refused(`allowedModels[${position}], ${shown(entry)}, ${problem}`)
    patterns.add(entry)
  }
  return { accepted: true, patterns: [...patterns] }
}

function problemOf(entry: unknown): string | null {
  if (typeof entry !== 'string') return 'is not a string.'
  if (entry.length > patternLengthMax) return `has more than ${patternLengthMax} characters.`
  if (entry !== entry.toLowerCase()) return 'must be lowercase.'
  // A wildcard replaces the name, so the part before it must be a valid author.
  const id = entry.endsWith('/*') ? `${entry.slice(0, -1)}any` : entry
  return isModelId(id)
    ? null
    : 'must be a model id such as "openai/gpt-5.2", or a provider wildcard such as "openai/*".'
}

function shown(entry: unknown): string {
  const text = JSON.stringify(entry) ?? 'nothing'
  return text.length > patternLengthMax ? `${text.slice(0, patternLengthMax).toWellFormed()}…` : text
}

function refused(problem: string): ParsedModels {
  return { accepted: false, problem }
}

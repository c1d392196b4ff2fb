import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'

/** A pattern ready to be run, or the reason why it is none, for its author. */
export type CompiledRegex =
  | { readonly compiled: true; readonly regex: RE2JS }
  | { readonly compiled: false; readonly reason: string }

/** A pattern of 1,000 characters may stand for a million steps by counted repetition; these are more than rules need. */
export const programSizeMax = 3_000

export function compileRegex(pattern: string, ignoreCase: boolean): CompiledRegex {
  try {
    const regex = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    if (regex.programSize() <= programSizeMax) return { compiled: true, regex }
    return { compiled: false, reason: 'The pattern is too large: its repetitions unfold into too many steps.' }
  } catch (error) {
    return { compiled: false, reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RE2JSSyntaxException) {
    const part = error.getPattern()
    return `The pattern ${problemOf(error.getDescription())}${part === null || part === '' ? '' : `: ${part}`}`
  }
  if (error instanceof RE2JSException) return `The pattern cannot be used: ${error.message}.`
  return 'The pattern cannot be used.'
}

/** What the parser complains of, as the rest of the sentence "The pattern …". */
const problems: Readonly<Record<string, string>> = {
  'invalid character class range': 'has a range in brackets that runs backwards or is unknown',
  'invalid escape sequence':
    'has a backslash before something that has no such form (back-references do not exist here)',
  'invalid named capture': 'has a named group that is not written (?P<name>…)',
  'invalid or unsupported Perl syntax':
    'uses a construct that the syntax of RE2 does not have, such as looking ahead or behind',
  'invalid nested repetition operator': 'repeats a repetition',
  'invalid repeat count': 'repeats something more than 1,000 times',
  'missing closing ]': 'opens a bracket that is never closed',
  'missing closing )': 'opens a parenthesis that is never closed',
  'missing argument to repetition operator': 'repeats nothing: a *, +, ? or {…} has nothing before it',
  'trailing backslash at end of expression': 'ends in a backslash',
  'duplicate capture group name': 'names two groups alike',
  'unexpected )': 'closes a parenthesis that was never opened',
  'expression nests too deeply': 'nests too deeply',
  'expression too large': 'is too large: its repetitions unfold into too many steps',
}

function problemOf(description: string): string {
  return problems[description] ?? `cannot be read (${description})`
}

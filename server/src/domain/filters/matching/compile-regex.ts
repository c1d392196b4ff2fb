import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'

/** A compiled pattern, or the reason why it is invalid, for its author. */
type CompiledRegex =
  | { readonly compiled: true; readonly regex: RE2JS }
  | { readonly compiled: false; readonly reason: string }

/**
 * Counted repetition can expand a pattern of 1,000 characters to a million instructions; rules do not need more than
 * this.
 */
const programSizeMax = 3_000

export function compileRegex(pattern: string, ignoreCase: boolean): CompiledRegex {
  try {
    const regex = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    if (regex.programSize() <= programSizeMax) return { compiled: true, regex }
    return { compiled: false, reason: 'The pattern is too large: its repetitions expand into too many steps.' }
  } catch (error) {
    return { compiled: false, reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RE2JSSyntaxException) {
    const part = error.getPattern()
    return `The pattern ${problemOf(error.getDescription())}${part === null || part === '' ? '' : `: ${part}`}`
  }
  if (error instanceof RE2JSException) return `The pattern is not valid: ${error.message}.`
  return 'The pattern is not valid.'
}

/** The parser's complaint, as the rest of the sentence "The pattern …". */
const problems: Readonly<Record<string, string>> = {
  'invalid character class range': 'has an invalid range in brackets',
  'invalid escape sequence': 'has an unknown escape sequence (backreferences are not supported)',
  'invalid named capture': 'has an invalid named group; write it as (?P<name>…)',
  'invalid or unsupported Perl syntax': 'uses syntax that RE2 does not support, such as lookahead or lookbehind',
  'invalid nested repetition operator': 'has a nested repetition operator',
  'invalid repeat count': 'repeats something more than 1,000 times',
  'missing closing ]': 'has an unclosed bracket',
  'missing closing )': 'has an unclosed parenthesis',
  'missing argument to repetition operator': 'has a *, +, ? or {…} with nothing before it',
  'trailing backslash at end of expression': 'ends in a backslash',
  'duplicate capture group name': 'uses the same group name twice',
  'unexpected )': 'has an unmatched closing parenthesis',
  'expression is nested too deeply': 'is nested too deeply',
  'expression too large': 'is too large: its repetitions expand into too many steps',
}

function problemOf(description: string): string {
  return problems[description] ?? `is not valid (${description})`
}

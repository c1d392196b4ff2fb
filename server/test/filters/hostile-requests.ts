import type { FilterAction, FilterMatcher, FilterRule } from '#domain/filters/filter-rule.ts'
// Not an expectation: names for the requests.
import { filterTemplates } from '#domain/filters/filter-templates.ts'
import { isTemplateName } from '#domain/filters/parse-filter-matcher.ts'
import { newUuid } from '#lib/uuid.ts'
import type { FilterRequest } from '#ports/filter-engine.ts'

/**
 * Requests that keep the filter engine busy: rules that could never be saved, and texts that match them. They are the
 * same every time.
 */
export function* hostileRequests(count: number): Iterable<FilterRequest> {
  const chance = createChance(0x5eed)
  const texts = hostileTexts(chance)
  for (let number = 0; number < count; number += 1) {
    // Each request has one rule that must not be missed: it matches, or is reported as unfinished.
    const rules = [ruleOf('block', { kind: 'keyword', keyword: needle }), ...hostileRules(chance)]
    const wanted = 1 + chance(2)
    const chosen = Array.from({ length: wanted }, () => texts[chance(texts.length)] ?? '')
    yield { ruleSet: `hostile ${number}`, rules, texts: [...chosen, `the ${needle}`] }
  }
}

const needle = 'zanzibar'

type Chance = (below: number) => number

/** Xorshift: pseudo-random numbers from a seed. */
function createChance(seed: number): Chance {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** From fast texts to texts that cannot be searched in time. */
const lengths = [500, 2_000, 10_000, 200_000]

function hostileTexts(chance: Chance): string[] {
  const letters = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(chance(alphabet.length))).join('')
  const units = [
    'a',
    'ab',
    'a ',
    '1',
    '1-',
    'é',
    '😀',
    'e\u0301',
    '\u200b',
    'ﬁ',
    'a@',
    'eyJ.',
    '-----BEGIN PRIVATE KEY-----',
    'ignore all the ',
  ]
  return [
    ...units.flatMap((unit) => lengths.map((length) => unit.repeat(Math.ceil(length / unit.length)))),
    ...['ab', 'abc ', 'xyz01', 'aA\n', 'αбγ世 '].flatMap((alphabet) =>
      lengths.map((length) => letters(alphabet, length)),
    ),
    `${letters('ab', 400_000)} x y z c 0123456789!`,
    letters('the quick brown fox 0123456789.,@-', 1_000_000),
    `a${'\u0301\u0316'.repeat(50_000)}`,
    'x',
    '',
  ]
}

/** Each number gives a different pattern. */
const patternForms: readonly ((number: number) => string)[] = [
  (number) => `((a+)+)+[b-d]{${(number % 9) + 1}}`,
  (number) => `(x+x+)+y${number % 7}|(a|aa)+$`,
  (number) => `(?:a?){${20 + (number % 40)}}a{${20 + (number % 40)}}`,
  (number) => `[ab]{1,${100 + (number % 800)}}c`,
  (number) => `((a{1,10}){1,10}){1,${(number % 9) + 1}}b`,
  (number) => `a[ab]{${15 + (number % 40)}}x`,
  (number) => `(a|b)*a(a|b){${8 + (number % 12)}}c`,
  (number) => `a.*z${number % 5}|a`,
  (number) => `\\w+\\d{${(number % 3) + 1}}|\\w`,
  (number) => `\\p{Greek}+[^\\p{L}]{${(number % 30) + 1},40}\\p{Cyrillic}`,
  (number) => `\\pL{${500 + (number % 500)}}`,
  (number) => `.*a.{${number % 50}}b.{${number % 50}}z`,
  (number) => Array.from({ length: 120 }, (_, at) => ((number + 7) * (at + 13) * 7_919).toString(36)).join('|'),
  (number) => `(?i)(?:k${number}|[a-z]{${number % 20}}q)+[^a]*b`,
  (number) => `(${'('.repeat(number % 50)}a${')*'.repeat(number % 50)})`,
  (number) => `[${'a-zα-ω'.repeat((number % 20) + 1)}]+!`,
  (number) => (number % 4 === 0 ? '(' : `k${number}(`.concat(')')),
  (number) => `${'.?'.repeat((number % 200) + 1)}x`,
]

const templates = Object.keys(filterTemplates).filter(isTemplateName)
const actions: readonly FilterAction[] = ['block', 'redact', 'flag']
const counts = [1, 1, 1, 1, 2, 2, 3, 5, 99]

function hostileRules(chance: Chance): FilterRule[] {
  const count = counts[chance(counts.length)] ?? 1
  return Array.from({ length: count }, () => ruleOf(actions[chance(3)] ?? 'block', hostileMatcher(chance)))
}

function hostileMatcher(chance: Chance): FilterMatcher {
  const number = chance(1_000)
  switch (chance(10)) {
    case 0:
      return { kind: 'template', template: templates[chance(templates.length)] ?? 'iban' }
    case 1:
      return { kind: 'keyword', keyword: ['a', 'a b', 'é', 'ß', '世'][chance(5)] ?? 'a' }
    default: {
      const form = patternForms[chance(patternForms.length)]
      return { kind: 'regex', pattern: form?.(number) ?? 'a', ignoreCase: chance(2) === 0 }
    }
  }
}

function ruleOf(action: FilterAction, matcher: FilterMatcher): FilterRule {
  return { id: newUuid(Date.now()), name: 'hostile', enabled: true, action, matcher }
}

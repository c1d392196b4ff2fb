import type { FilterAction, FilterRule } from '#domain/filters/filter-rule.ts'
import { filterRuleSet } from '#domain/filters/filter-rule-set.ts'
import { parseFilterRule } from '#domain/filters/parse-filter-rule.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { FilterHit } from '#ports/filter-engine.ts'
import { type FilterRuleDeps, readRule, refuseMatcher } from './filter-rule-deps.ts'

export const triedLengthMax = 100_000

/** The result of applying the rules to a request with this text. */
interface FilterTrial {
  /** The most severe action of the rules. */
  readonly outcome: FilterAction | 'none'
  /** The text as it would have been sent if it was not blocked. */
  readonly text: string
  readonly rules: readonly TriedRule[]
}

interface TriedRule {
  /** Null for an unsaved rule. */
  readonly id: Uuid | null
  readonly name: string | null
  readonly action: FilterAction
  readonly outcome: FilterAction | 'none'
  /** The rule timed out, which counts as a match. */
  readonly timedOut: boolean
  readonly matches: readonly { readonly start: number; readonly end: number; readonly text: string }[]
}

/** Tries one rule, saved or not, or all enabled rules. Nothing is sent or recorded. */
export async function tryFilterRules(
  deps: Pick<FilterRuleDeps, 'store' | 'engine'>,
  request: { organizationId: Uuid; body: JsonObject },
): Promise<FilterTrial> {
  const text = parseTried(request.body.text)
  const rules = await rulesToTry(deps, request)
  const set = filterRuleSet(rules)
  if (set.rules.length === 0) return { outcome: 'none', text, rules: [] }
  const { hits, texts } = await deps.engine.inspect({ ...set, texts: [text] })
  const tried = set.rules.map((rule) =>
    describe(
      rule,
      hits.find(({ ruleId }) => ruleId === rule.id),
      text,
    ),
  )
  const outcome = gravity.find((action) => tried.some((rule) => rule.outcome === action)) ?? 'none'
  return { outcome, text: texts[0] ?? text, rules: tried }
}

const gravity = ['block', 'redact', 'flag'] as const

function parseTried(text: JsonValue | undefined): string {
  if (text === undefined) throw new GatewayError('missingRequiredField', { message: 'The field `text` is required.' })
  if (typeof text !== 'string') throw malformed('`text` must be a string.')
  if (text.length > triedLengthMax) throw malformed(`\`text\` must be at most ${triedLengthMax} characters.`)
  return text
}

async function rulesToTry(
  { store, engine }: Pick<FilterRuleDeps, 'store' | 'engine'>,
  { organizationId, body }: { organizationId: Uuid; body: JsonObject },
): Promise<readonly FilterRule[]> {
  if (body.rule !== undefined) return [await parseTrial(engine, body.rule)]
  const kept = await store.list(organizationId)
  if (body.ruleId === undefined) return kept
  if (typeof body.ruleId !== 'string') throw malformed('`ruleId` must be a string.')
  return [{ ...readRule(kept, body.ruleId), enabled: true }]
}

/** No saved rule has this id. */
const unkept: Uuid = '00000000-0000-0000-0000-000000000000'

async function parseTrial(engine: FilterRuleDeps['engine'], value: JsonValue): Promise<FilterRule> {
  const parsed = isJsonObject(value) ? parseFilterRule(value) : null
  if (parsed === null) throw malformed('`rule` must be an object with `action` and `matcher`.')
  if (!parsed.accepted) throw malformed(parsed.problem)
  const { name = '', action, matcher } = parsed.value
  if (action === undefined || matcher === undefined) throw malformed('`rule` must have an `action` and a `matcher`.')
  await refuseMatcher(engine, matcher)
  return { id: unkept, name, enabled: true, action, matcher }
}

function describe(rule: FilterRule, hit: FilterHit | undefined, text: string): TriedRule {
  const isKept = rule.id !== unkept
  return {
    id: isKept ? rule.id : null,
    name: isKept ? rule.name : null,
    action: rule.action,
    outcome: hit === undefined ? 'none' : rule.action,
    timedOut: hit?.timedOut ?? false,
    matches: (hit?.matches ?? []).map(({ start, end }) => ({ start, end, text: text.slice(start, end) })),
  }
}

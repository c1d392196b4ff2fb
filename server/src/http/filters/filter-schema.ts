import { Type } from 'typebox'
import { triedLengthMax } from '#control/filters/try-filter-rules.ts'
import { filterActions } from '#domain/filters/filter-rule.ts'
import { filterTemplates } from '#domain/filters/filter-templates.ts'
import { keywordLengthMax, patternLengthMax } from '#domain/filters/parse-filter-matcher.ts'
import { nameLengthMax, positionMax } from '#domain/filters/parse-filter-rule.ts'

const action = Type.Union(
  filterActions.map((name) => Type.Literal(name)),
  {
    description:
      'Action on a match: `block` rejects the request, `redact` sends it without the match, `flag` sends it and records the match.',
  },
)
const template = Type.Union(Object.keys(filterTemplates).map((name) => Type.Literal(name)))
const matcher = Type.Union(
  [
    Type.Object({ kind: Type.Literal('keyword'), keyword: Type.String({ maxLength: keywordLengthMax }) }),
    Type.Object({
      kind: Type.Literal('regex'),
      pattern: Type.String({ maxLength: patternLengthMax, description: 'Regular expression in RE2 syntax.' }),
      ignoreCase: Type.Optional(Type.Boolean()),
    }),
    Type.Object({ kind: Type.Literal('template'), template }),
  ],
  {
    $id: 'FilterMatcher',
    description: 'What the rule matches: a word or phrase, a regular expression, or a template.',
  },
)
const name = Type.String({ maxLength: nameLengthMax })
const position = Type.Integer({
  minimum: 0,
  maximum: positionMax,
  description: 'Position of the rule. Rules are applied in ascending order.',
})

export const newRuleSchema = Type.Object({
  name,
  action,
  matcher,
  enabled: Type.Optional(Type.Boolean()),
  position: Type.Optional(position),
})
export const ruleChangeSchema = Type.Partial(newRuleSchema)

const ruleSchema = Type.Object(
  {
    id: Type.String(),
    name,
    enabled: Type.Boolean(),
    action,
    matcher,
    position,
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { $id: 'FilterRule' },
)

export const ruleReplySchema = Type.Object({ data: ruleSchema })

export const ruleListSchema = Type.Object({
  data: Type.Array(ruleSchema),
  templates: Type.Array(Type.Object({ template, kind: Type.String(), title: Type.String() })),
})

export const trialBodySchema = Type.Object({
  text: Type.String({ maxLength: triedLengthMax }),
  rule: Type.Optional(Type.Object({ action, matcher }, { description: 'Unsaved rule to test.' })),
  ruleId: Type.Optional(Type.String({ description: 'ID of the rule to test. Defaults to all enabled rules.' })),
})

const outcome = Type.Union([...filterActions, 'none' as const].map((word) => Type.Literal(word)))

const trial = Type.Object({
  outcome,
  text: Type.String({ description: 'Text as it would be sent upstream if not blocked.' }),
  rules: Type.Array(
    Type.Object({
      id: Type.Union([Type.String(), Type.Null()]),
      name: Type.Union([Type.String(), Type.Null()]),
      action,
      outcome,
      timedOut: Type.Boolean(),
      matches: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer(), text: Type.String() })),
    }),
  ),
})

export const trialSchema = Type.Object({ data: trial })

import { Type } from 'typebox'
import { triedLengthMax } from '#control/filters/try-filter-rules.ts'
import { filterActions } from '#domain/filters/filter-rule.ts'
import { filterTemplates } from '#domain/filters/filter-templates.ts'
import { keywordLengthMax, patternLengthMax } from '#domain/filters/parse-filter-matcher.ts'
import { nameLengthMax, positionMax } from '#domain/filters/parse-filter-rule.ts'

const action = Type.Union(
  filterActions.map((name) => Type.Literal(name)),
  { description: 'Refuse the request, send it without what was found, or send it and put it on record.' },
)
const matcher = Type.Union(
  [
    Type.Object({ kind: Type.Literal('keyword'), keyword: Type.String({ maxLength: keywordLengthMax }) }),
    Type.Object({
      kind: Type.Literal('regex'),
      pattern: Type.String({ maxLength: patternLengthMax, description: 'In the syntax of RE2.' }),
      ignoreCase: Type.Optional(Type.Boolean()),
    }),
    Type.Object({
      kind: Type.Literal('template'),
      template: Type.Union(Object.keys(filterTemplates).map((name) => Type.Literal(name))),
    }),
  ],
  { $id: 'FilterMatcher', description: 'A word or phrase, a pattern, or one of the templates.' },
)
const name = Type.String({ maxLength: nameLengthMax })
const position = Type.Integer({ minimum: 0, maximum: positionMax, description: 'Rules are tried in this order.' })

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
  templates: Type.Array(Type.Object({ template: Type.String(), kind: Type.String(), title: Type.String() })),
})

export const trialBodySchema = Type.Object({
  text: Type.String({ maxLength: triedLengthMax }),
  rule: Type.Optional(Type.Object({ action, matcher }, { description: 'A rule that is not kept.' })),
  ruleId: Type.Optional(Type.String({ description: 'One of the rules; left out, all that are enabled.' })),
})

const outcome = Type.Union([...filterActions, 'none' as const].map((word) => Type.Literal(word)))

const trial = Type.Object({
  outcome,
  text: Type.String({ description: 'As it would have been sent on, had it not been blocked.' }),
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

import { Type } from 'typebox'
import { resetNameOf, spendPeriods } from '#domain/limits/spend-period.ts'

/** Common schema parts of all endpoints. */
export const usd = (description: string) => Type.Number({ description: `${description}, in USD.` })
export const optionalUsd = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}, in USD.` })
export const optionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
export const optionalCount = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
/** Such as "`day`, `week`, or `month`". */
export const tagsSchema = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description: 'Tags of the `X-Weir-Tags` header, by name. Missing if the request had none.',
  }),
)

export const alternatives = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(names.map((name) => `\`${name}\``))
export const resetName = optionalText(
  `How often the spend limit resets: ${alternatives(spendPeriods.map(resetNameOf))}, or null for never.`,
)
export const ofOrganization = Type.Optional(
  Type.String({
    description: 'ID of one of your organizations, for requests with a website session. Defaults to your own wallet.',
  }),
)

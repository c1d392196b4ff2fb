import { Type } from 'typebox'

/** What the schemas of all families of endpoints are made of. */
export const usd = (description: string) => Type.Number({ description: `${description}, in USD.` })
export const optionalUsd = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}, in USD.` })
export const optionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
export const optionalCount = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
export const ofOrganization = Type.Optional(
  Type.String({
    description: 'ID of one of your organizations, for requests with a website session. Defaults to your own wallet.',
  }),
)

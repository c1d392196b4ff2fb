import { Type } from 'typebox'

/** What the schemas of all families of endpoints are made of. */
export const usd = (description: string) => Type.Number({ description: `${description}, USD` })
export const optionalUsd = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}, USD` })
export const optionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
export const optionalCount = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
export const ofOrganization = Type.Optional(
  Type.String({
    description: 'For a signed-in person: an organization of theirs, by its id. Left out: their own wallet',
  }),
)

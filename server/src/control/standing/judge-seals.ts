import { type Finding, fault, ok } from './finding.ts'

interface SealedPlace {
  /** The table name. */
  readonly place: string
  readonly sealed: number
  /** Secrets that no available master secret decrypts. */
  readonly unopened: number
}

export function judgeSeals(places: readonly SealedPlace[]): Finding[] {
  const shut = places.filter(({ unopened }) => unopened > 0)
  const sealed = places.reduce((sum, place) => sum + place.sealed, 0)
  if (shut.length === 0) return [ok('secret', `decrypts all ${sealed} encrypted values`)]
  const advice = 'set the secret that encrypted them, or add it to WEIR_PREVIOUS_SECRETS and run weir secrets rotate'
  return shut.map(({ place, unopened, sealed: among }) =>
    fault('secret', `can't decrypt ${unopened} of ${among} values in ${place}`, advice),
  )
}

import { malformed } from '#errors/malformed.ts'
import type { ProviderAccountTerms } from '#ports/operators.ts'

const weightMax = 1_000
const variantForm = /^[a-z0-9._-]{0,63}$/

/** Refuses terms that mean nothing. */
export function judgeAccountTerms({ weight, variant }: Partial<ProviderAccountTerms>): void {
  if (weight !== undefined && !(Number.isInteger(weight) && weight >= 1 && weight <= weightMax)) {
    throw malformed(`A weight is a whole number from 1 to ${weightMax}. Disable an account to send it nothing.`)
  }
  if (variant !== undefined && !variantForm.test(variant)) {
    throw malformed('A variant is a region or service tier as the catalogue spells it, such as eu.')
  }
}

import type { Area } from '../area.ts'
import { tryCookieSpellings, tryForeignPages } from '../sign-in/foreign-pages.ts'
import { tryEnumeration, tryGuesses, tryGuessesWithin, tryInstitutionCodes } from '../sign-in/guesses.ts'
import { tryPasskeyRegistrations } from '../sign-in/passkey-registrations.ts'
import { tryPasskeys } from '../sign-in/passkeys.ts'
import { tryProviders } from '../sign-in/providers.ts'
import { trySecondFactors } from '../sign-in/second-factors.ts'
import { tryFixation, tryMassAssignment, tryRedirects } from '../sign-in/sessions.ts'

export const signIn: Area = {
  name: 'sign-in',
  tries:
    'foreign pages, forged cookies, planted sessions, links to elsewhere, fields nobody asked for, second factors and passkeys of others, states of another provider, guessing',
  async run(attack) {
    await tryForeignPages(attack)
    await tryCookieSpellings(attack)
    await tryFixation(attack)
    await tryRedirects(attack)
    await tryMassAssignment(attack)
    await trySecondFactors(attack)
    await tryPasskeys(attack)
    await tryPasskeyRegistrations(attack)
    await tryProviders(attack)
    await tryEnumeration(attack)
    await tryInstitutionCodes(attack)
    await tryGuesses(attack)
    await tryGuessesWithin(attack)
  },
}

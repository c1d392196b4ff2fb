import { expect, it } from 'vitest'
import { signInProvidersOf } from './sign-in-providers.ts'

const none = { googleClientId: null, googleClientSecret: null, githubClientId: null, githubClientSecret: null }

it('offers a provider once both its id and its secret are set', () => {
  expect(signInProvidersOf(none)).toEqual({})
  expect(signInProvidersOf({ ...none, googleClientId: 'a', githubClientSecret: 'b' })).toEqual({})
  expect(signInProvidersOf({ ...none, googleClientId: 'a', googleClientSecret: 'b' })).toEqual({
    google: { clientId: 'a', clientSecret: 'b' },
  })
  expect(signInProvidersOf({ ...none, githubClientId: 'c', githubClientSecret: 'd' })).toEqual({
    github: { clientId: 'c', clientSecret: 'd' },
  })
})

import { expect, it } from 'vitest'
import { accountSecrets } from './account-secrets.ts'

it.each<[string, string | null, string | null, string[]]>([
  ['nothing of an account without either', null, null, []],
  ['the credential and the host', 'https://eu.acme.test:8443/v1', 'sk-short', ['sk-short', 'eu.acme.test']],
  ['no host where the address is none', 'not an address', 'sk-short', ['sk-short']],
  [
    'each part of sixteen characters or more, and the whole',
    null,
    '{"id":"AKIA567890123456","region":"eu-central-12345","kind":"service-account"}',
    [
      '{"id":"AKIA567890123456","region":"eu-central-12345","kind":"service-account"}',
      'AKIA567890123456',
      'eu-central-12345',
    ],
  ],
  [
    'parts with all characters that keys are written in',
    null,
    'user  a_b.c+d/e=f-ghijkl;;:0123456789abcdef',
    ['user  a_b.c+d/e=f-ghijkl;;:0123456789abcdef', 'a_b.c+d/e=f-ghijkl', '0123456789abcdef'],
  ],
])('an upstream could repeat %s', (_, baseUrl, credential, secrets) => {
  expect(accountSecrets({ baseUrl, credential })).toEqual(secrets)
})

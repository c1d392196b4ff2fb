import { expect, it } from 'vitest'
import { emptyProfile, profileBody, profileFields } from './profile-body.ts'

it('sends what was left empty as nothing', () => {
  expect(profileBody({ ...emptyProfile, name: ' Mill GmbH ', country: 'de' })).toEqual({
    name: 'Mill GmbH',
    address: '',
    country: 'DE',
    tax_id_kind: null,
    tax_id: null,
    email: null,
  })
})

it('shows what was sent', () => {
  const profile = {
    name: 'Mill GmbH',
    address: 'Am Wehr 1\n12345 Weiler',
    country: 'DE',
    tax_id_kind: 'eu_vat',
    tax_id: 'DE123456789',
    email: 'bills@example.com',
  }
  expect(profileBody(profileFields(profile))).toEqual(profile)
})

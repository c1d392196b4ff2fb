import { describe, expect, test } from 'vitest'
import type { AnnouncedModel, ChangedPrice } from '../catalogue/announced-model.ts'
import type { CatalogueNotice } from './notice.ts'
import { writeMail } from './write-mail.ts'

const prompt: ChangedPrice = {
  provider: 'acme',
  variant: '',
  unit: 'prompt',
  when: '',
  isPerMillion: true,
  from: '1',
  to: '1.5',
}
const dearer: AnnouncedModel = { id: 'acme/one', name: 'One', prices: [prompt], retirement: null }
const retiring: AnnouncedModel = {
  id: 'acme/two',
  name: 'Two',
  prices: [],
  retirement: { from: null, to: '2027-01-31' },
}

function mailOf(notice: Partial<CatalogueNotice>, creditsUrl = 'https://weir.test/console/credits') {
  const sinceMs = Date.parse('2026-11-19T07:00:00Z')
  return writeMail(
    { kind: 'catalogue', about: 'change', models: [], sinceMs, organization: null, ...notice },
    { creditsUrl },
  )
}

describe('the email about changes of the catalogue', () => {
  test('lists every model with its prices and dates, and links to the overview', () => {
    const image: ChangedPrice = {
      ...prompt,
      provider: 'zenith',
      variant: 'eu',
      unit: 'per_image_output',
      when: 'quality high',
      isPerMillion: false,
      from: '0.04',
      to: null,
    }
    const { subject, text } = mailOf({ models: [{ ...dearer, prices: [prompt, image] }, retiring] })
    expect(subject).toBe('Changed prices and retirement dates of models that you use')
    expect(
      text,
    ).toBe(`You used these models in the last 30 days. Their prices or retirement dates have changed. New prices apply to requests since 2026-11-19T07:00:00.000Z.

acme/one
  acme, prompt: $1.00 to $1.50 per million tokens
  zenith eu, per image output (quality high): $0.04 to not offered

acme/two
  Retires on 2027-01-31 (UTC)

Read this in the console:

https://weir.test/console
`)
  })

  test('names the organization, and links to its overview', () => {
    const { text } = mailOf({ models: [dearer], organization: 'Acme' }, 'https://weir.test/console/o/acme/credits')
    expect(text).toContain('\n\nOrganization: Acme\n\n')
    expect(text).toContain('\nhttps://weir.test/console/o/acme\n')
  })

  test.each<[string, CatalogueNotice['about'], readonly AnnouncedModel[]]>([
    ['Changed prices of models that you use', 'change', [dearer]],
    ['Changed retirement dates of models that you use', 'change', [retiring]],
    ['Models that you use retire soon', 'reminder', [retiring]],
  ])('is called %s', (subject, about, models) => {
    expect(mailOf({ about, models }).subject).toBe(subject)
  })

  test('of a reminder says what happens then', () => {
    const { text } = mailOf({ about: 'reminder', models: [retiring] })
    expect(text).toContain('requests to a retired model are rejected')
    expect(text).not.toContain('prices')
  })

  test.each<[string, AnnouncedModel['retirement']]>([
    ['Retires on 2027-01-31 (UTC)\n', { from: '2027-01-31', to: '2027-01-31' }],
    ['Retires on 2027-03-31 (UTC), not on 2027-01-31\n', { from: '2027-01-31', to: '2027-03-31' }],
    ['No longer retires on 2027-01-31\n', { from: '2027-01-31', to: null }],
  ])('says %j', (words, retirement) => {
    expect(mailOf({ models: [{ ...retiring, retirement }] }).text).toContain(words)
  })

  test('has an end: 50 models, and 30 prices of each', () => {
    const models = Array.from({ length: 52 }, (_, at) => ({ ...retiring, id: `acme/m${at}` }))
    const { text } = mailOf({ models })
    expect(text.match(/Retires on/g)).toHaveLength(50)
    expect(text).toContain('and 2 more')
    const prices = Array.from({ length: 33 }, () => prompt)
    const long = mailOf({ models: [{ ...dearer, prices }] }).text
    expect(long.match(/acme, prompt/g)).toHaveLength(30)
    expect(long).toContain('and 3 more')
    expect(mailOf({ models: models.slice(2) }).text).not.toContain('more')
  })
})

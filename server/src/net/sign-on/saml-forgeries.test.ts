import { expect, it } from 'vitest'
import { forgeries, type ForgeryKit } from '#test/sign-on/saml-forgeries.ts'
import { responseXml, signXml } from '#test/sign-on/saml-response.ts'
import { selfSigned } from '#test/sign-on/self-signed.ts'
import { createSamlClient } from './saml-client.ts'

const key = selfSigned()
const recipient = 'https://weir.test/api/sign-on/x/saml'
const audience = `${recipient}/metadata`
const issuer = 'https://idp.example/'
const termsFor = (person: string) => ({
  issuer,
  audience,
  recipient,
  requestId: '_request',
  nameId: person,
  attributes: { mail: [`${person}@acme.example`] },
  assertionId: '_assertion',
})
const kit: ForgeryKit = {
  own: termsFor('eve'),
  victim: termsFor('ada'),
  key,
  strangerKey: selfSigned(),
  otherKey: selfSigned(),
}

const finish = (xml: string) =>
  createSamlClient().finish({
    settings: {
      issuer,
      signInUrl: 'https://idp.example/sso',
      certificates: [key.certificate],
      emailAttribute: 'mail',
      subjectAttribute: null,
      groupsAttribute: 'groups',
      allowsUnsolicited: false,
    },
    audience,
    recipient,
    requestId: '_request',
    nowMs: Date.now(),
    response: Buffer.from(xml).toString('base64'),
  })

it('takes the genuine answer that is forged below', async () => {
  expect((await finish(signXml(responseXml(kit.own), key))).identity.subject).toBe('eve')
})

it.each(forgeries.map((forgery) => [forgery.name, forgery] as const))('refuses %s', async (_name, { forge, words }) => {
  await expect(finish(forge(kit))).rejects.toThrow(words)
})

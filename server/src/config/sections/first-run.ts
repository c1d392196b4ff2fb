import { Type } from 'typebox'
import { optionalText, section } from '../setting-kinds.ts'

// What `weir migrate` makes of a database without an account, for machines that set themselves up. It is never applied twice.

export const init = section({
  userEmail: optionalText('The first person to have an account. Unset: `weir migrate` prints a token for the console.'),
  userPassword: optionalText('Their password, 10 to 128 characters. Secret.'),
  userName: optionalText('Their name.'),
  organization: optionalText('The name of a first organization, which they administer.'),
  creditUsd: Type.Union([Type.String({ pattern: '^[0-9]{1,7}([.][0-9]{1,9})?$' }), Type.Null()], {
    default: null,
    description: 'A grant for the organization, or for the person where there is none.',
    expects: 'a USD amount such as 25',
  }),
  providerVendor: optionalText('A provider to call models at, such as `openai`.'),
  providerKey: optionalText('The key for it. Secret.'),
  providerBaseUrl: optionalText('Its address, for servers of your own.'),
})

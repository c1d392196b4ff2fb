import { Type } from 'typebox'
import { optionalText, section, optionalSecret } from '../setting-kinds.ts'

// Settings that `weir migrate` applies to a database without an account, for automated setup. They are never applied
// twice.

export const init = section({
  userEmail: optionalText('Email address of the first user. Unset: `weir migrate` prints a token for the console.'),
  userPassword: optionalSecret('Password of the first user, 10 to 128 characters.'),
  userName: optionalText('Name of the first user.'),
  organization: optionalText('Name of the first organization. The first user becomes its admin.'),
  creditUsd: Type.Union([Type.String({ pattern: '^[0-9]{1,7}([.][0-9]{1,9})?$' }), Type.Null()], {
    default: null,
    description:
      'Starting credit in USD, granted to the organization, or to the first user if there is no organization.',
    expects: 'a USD amount such as 25',
  }),
  providerVendor: optionalText('Provider for the first provider account, such as `openai`.'),
  providerKey: optionalSecret('API key for the first provider account.'),
  providerBaseUrl: optionalText('Base URL for the first provider account. Set it for self-hosted model servers.'),
})

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { callAuth } from './auth.ts'

// The library is loaded only when a person presses the button.
const library = () => import('@simplewebauthn/browser')

/** Signs in with a passkey of this device. */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialRequestOptionsJSON>('/passkey/generate-authenticate-options')
  const { startAuthentication } = await library()
  const response: AuthenticationResponseJSON = await startAuthentication({ optionsJSON })
  await callAuth('/passkey/verify-authentication', { response })
}

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await callAuth<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options')
  const { startRegistration } = await library()
  const response: RegistrationResponseJSON = await startRegistration({ optionsJSON })
  await callAuth('/passkey/verify-registration', { response, name })
}

interface Passkey {
  readonly id: string
  readonly name: string | null
  readonly createdAt: string | null
}

export const listPasskeys = () => callAuth<readonly Passkey[]>('/passkey/list-user-passkeys')
export const deletePasskey = (id: string) => callAuth('/passkey/delete-passkey', { id })

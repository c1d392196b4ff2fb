/**
 * Values of an account that an upstream could repeat: the credential, whole and in parts (a key pair, a service account
 * file), and the host that an operator configured.
 */
export function accountSecrets({ baseUrl, credential }: AccountAddress): string[] {
  const parts = credential?.split(/[^\w.+/=-]+/).filter(({ length }) => length >= partLengthMin) ?? []
  const host = baseUrl === null ? null : URL.parse(baseUrl)?.hostname
  return [credential, ...parts, host].filter((secret) => typeof secret === 'string')
}

export interface AccountAddress {
  readonly baseUrl: string | null
  readonly credential: string | null
}

// Shorter parts are words, such as a region or a file type.
const partLengthMin = 16

/** What a sink says is kept and shown; a credential that it repeats is not. */
export function withoutSecrets(message: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  return secrets.filter(({ length }) => length >= 8).reduce((text, secret) => text.replaceAll(secret, '…'), message)
}

import type { Config } from './config-schema.ts'

/** Checks settings that depend on each other. */
export function judgeTogether({ mail, http, auth, moderation, blobs, payments, bodies }: Config): string[] {
  const problems: string[] = []
  if (mail.url !== null && mail.from === null) {
    problems.push('mail.from (WEIR_MAIL_FROM) is required with mail.url: the sender address')
  }
  if ((auth.googleClientId === null) !== (auth.googleClientSecret === null)) {
    problems.push('auth.googleClientId (WEIR_AUTH_GOOGLE_CLIENT_ID) and auth.googleClientSecret must be set together')
  }
  if ((auth.githubClientId === null) !== (auth.githubClientSecret === null)) {
    problems.push('auth.githubClientId (WEIR_AUTH_GITHUB_CLIENT_ID) and auth.githubClientSecret must be set together')
  }
  if (!auth.operatorSecondFactor && !isOnThisMachine(http.publicUrl)) {
    problems.push(
      'auth.operatorSecondFactor (WEIR_AUTH_OPERATOR_SECOND_FACTOR) can only be false if http.publicUrl is on this machine, such as http://localhost:8484',
    )
  }
  // Links back to this site must not depend on the Host header of a request.
  const leadsBack = [
    { setting: 'mail.url', isSet: mail.url !== null },
    { setting: 'auth.googleClientId', isSet: auth.googleClientId !== null },
    { setting: 'auth.githubClientId', isSet: auth.githubClientId !== null },
    { setting: 'auth.passkeys', isSet: auth.passkeys },
    { setting: 'payments.stripeSecretKey', isSet: payments.stripeSecretKey !== null },
    { setting: 'payments.epayUrl', isSet: payments.epayUrl !== null },
  ]
  for (const { setting, isSet } of leadsBack) {
    if (!isSet || http.publicUrl !== null) continue
    problems.push(`http.publicUrl (WEIR_HTTP_PUBLIC_URL) is required with ${setting}: the public URL of this gateway`)
  }
  const asksUpstream = moderation.engine === 'upstream' || moderation.engine === 'both'
  if (asksUpstream && moderation.url === null) {
    problems.push('moderation.url (WEIR_MODERATION_URL) is required: the moderation service to call')
  }
  if (blobs.kind === 's3' && blobs.s3Bucket === null) {
    problems.push('blobs.s3Bucket (WEIR_BLOBS_S3_BUCKET) is required with s3: the bucket for images')
  }
  if (blobs.kind === 's3' && blobs.s3Region === null) {
    problems.push('blobs.s3Region (WEIR_BLOBS_S3_REGION) is required with s3: the region of the bucket')
  }
  if ((blobs.s3AccessKeyId === null) !== (blobs.s3SecretAccessKey === null)) {
    problems.push('blobs.s3AccessKeyId (WEIR_BLOBS_S3_ACCESS_KEY_ID) and blobs.s3SecretAccessKey must be set together')
  }
  // Without a webhook secret anyone could report payments that never happened.
  if (payments.stripeSecretKey !== null && payments.stripeWebhookSecrets.length === 0) {
    problems.push(
      'payments.stripeWebhookSecrets (WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS) is required with payments.stripeSecretKey',
    )
  }
  const epay = [payments.epayUrl, payments.epayMerchantId, payments.epayKey]
  if (epay.some((value) => value !== null) && epay.includes(null)) {
    problems.push(
      'payments.epayUrl (WEIR_PAYMENTS_EPAY_URL), payments.epayMerchantId and payments.epayKey must be set together',
    )
  }
  const hasRate = payments.currencies.some((entry) => entry.startsWith(`${payments.epayCurrency}=`))
  if (payments.epayUrl !== null && payments.epayCurrency !== 'usd' && !hasRate) {
    problems.push(
      `payments.currencies (WEIR_PAYMENTS_CURRENCIES) has no rate for ${payments.epayCurrency}, the currency of payments.epayUrl`,
    )
  }
  if (payments.topUpUsdMin > payments.topUpUsdMax) {
    problems.push('payments.topUpUsdMin (WEIR_PAYMENTS_TOP_UP_USD_MIN) must be at most payments.topUpUsdMax')
  }
  return [...problems, ...judgeBodies(bodies)]
}

function judgeBodies(bodies: Config['bodies']): string[] {
  const problems: string[] = []
  for (const name of ['conversationBytesMax', 'recordingBytesMax', 'mediaBytesMax'] as const) {
    if (bodies[name] > bodies.addressBytesMax) {
      problems.push(`bodies.${name} must be at most bodies.addressBytesMax (WEIR_BODIES_ADDRESS_BYTES_MAX)`)
    }
  }
  // Recordings are on disk, so only the others count while their requests run.
  for (const name of ['conversationBytesMax', 'mediaBytesMax'] as const) {
    if (bodies[name] <= bodies.runningAddressBytesMax) continue
    problems.push(
      `bodies.${name} must be at most bodies.runningAddressBytesMax (WEIR_BODIES_RUNNING_ADDRESS_BYTES_MAX)`,
    )
  }
  return problems
}

function isOnThisMachine(publicUrl: string | null): boolean {
  return publicUrl !== null && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname)
}

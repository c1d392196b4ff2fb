import type { ReactNode } from 'react'
import type { SignOnConnection } from '../../api/sign-on.ts'
import { Badge } from '../../ui/badge.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'
import { daysToAct } from './connection-fields.ts'

export function ConnectionFacts({ of: connection }: { readonly of: SignOnConnection }) {
  const { issuer, clientId, groupsClaim, saml } = connection
  if (saml === null) {
    return (
      <Facts
        facts={[
          ['Protocol', 'OpenID Connect'],
          ['Issuer', whole(issuer)],
          ['Client ID', whole(clientId ?? '')],
          ['Groups claim', groupsClaim],
        ]}
      />
    )
  }
  return (
    <Facts
      facts={[
        ['Protocol', 'SAML 2.0'],
        ['Entity ID', whole(issuer)],
        ['Sign-in URL', whole(saml.signInUrl)],
        ['Certificate expires', <CertificateEnd at={saml.certificateExpiresAt} />],
        ['Email attribute', saml.emailAttribute === null ? 'Name ID' : whole(saml.emailAttribute)],
        ['Subject attribute', saml.subjectAttribute === null ? 'Name ID' : whole(saml.subjectAttribute)],
        ['Groups attribute', whole(groupsClaim)],
        ...(saml.allowsUnsolicited ? ([['Provider-initiated sign-in', 'Allowed']] as const) : []),
      ]}
    />
  )
}

function whole(text: string): ReactNode {
  return <span className="break-all">{text}</span>
}

function CertificateEnd({ at }: { readonly at: string }) {
  const days = daysToAct(at, Date.now())
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Time iso={at} absolute />
      {days === null ? null : (
        <Badge tone={days === 0 ? 'bad' : 'warn'} hint="Add the provider's new certificate beside it.">
          {days === 0 ? 'Expired' : `${days} ${days === 1 ? 'day' : 'days'} left`}
        </Badge>
      )}
    </span>
  )
}

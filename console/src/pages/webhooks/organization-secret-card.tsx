import { CodeBlock } from '../../ui/copy-button.tsx'
import { Card } from '../../ui/page.tsx'

/** An organization's webhook secret is managed by its programs with a management key, not by a session. */
export function OrganizationSecretCard({ name }: { readonly name: string }) {
  return (
    <Card title="Signing secret">
      <p className="mb-3 text-muted text-sm">
        Webhooks for {name} are signed with a secret. Create it with one of the organization's management keys. The
        response shows it once.
      </p>
      <CodeBlock
        code={`curl -X PUT ${location.origin}/v1/webhooks/secret \\\n  -H "Authorization: Bearer $WEIR_MANAGEMENT_KEY"`}
      />
    </Card>
  )
}

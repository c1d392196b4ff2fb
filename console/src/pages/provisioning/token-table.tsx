import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { provisioningQuery, revokeScimToken, rotateScimToken, type ScimToken } from '../../api/provisioning.ts'
import { withStepUp } from '../../api/step-up.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/column.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { NewSecret } from './token-dialog.tsx'

const tokenColumns: readonly Column<ScimToken>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, csv: ({ name }) => name, onPhone: 'title' },
  {
    id: 'token',
    header: 'Token',
    cell: ({ tokenPrefix, tokenSuffix }) => (
      <code className="font-mono text-xs">
        {tokenPrefix}…{tokenSuffix}
      </code>
    ),
    csv: ({ tokenPrefix, tokenSuffix }) => `${tokenPrefix}…${tokenSuffix}`,
    width: 210,
  },
  timeColumn('used', 'Last used', ({ lastUsedAt }) => lastUsedAt),
  timeColumn('expires', 'Expires', ({ expiresAt }) => expiresAt),
  timeColumn('created', 'Created', ({ createdAt }) => createdAt),
]

function timeColumn(id: string, header: string, read: (token: ScimToken) => string | null): Column<ScimToken> {
  return {
    id,
    header,
    cell: (token) => {
      const iso = read(token)
      return iso === null ? <span className="text-muted">Never</span> : <Time iso={iso} />
    },
    csv: (token) => read(token) ?? '',
    width: 130,
    ...(id === 'used' ? { onPhone: 'figure' as const } : {}),
  }
}

/** The tokens of an organization that are not revoked. */
export function TokenTable({
  organizationId,
  tokens,
  error,
  onRetry,
  empty,
}: {
  readonly organizationId: string
  readonly tokens: readonly ScimToken[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly empty: ReactNode
}) {
  const columns = useMemo(
    () => [
      ...tokenColumns,
      {
        id: 'menu',
        header: 'Actions',
        cell: (token: ScimToken) => <TokenMenu organizationId={organizationId} token={token} />,
        align: 'right' as const,
        width: 90,
      },
    ],
    [organizationId],
  )
  return (
    <DataTable
      name="provisioning-tokens"
      label="Tokens"
      columns={columns}
      rows={tokens}
      rowId={({ id }) => id}
      error={error}
      onRetry={onRetry}
      empty={empty}
    />
  )
}

const overlapHours = 24

function TokenMenu({ organizationId, token }: { readonly organizationId: string; readonly token: ScimToken }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'rotate' | 'revoke' | null>(null)
  const close = () => setAsked(null)
  const refresh = () => client.invalidateQueries({ queryKey: provisioningQuery(organizationId).queryKey })
  const rotation = useMutation({
    mutationFn: () => withStepUp(() => rotateScimToken(organizationId, token.id, overlapHours)),
    onSuccess: close,
    gcTime: 0,
  })
  const revocation = useMutation({
    mutationFn: () => revokeScimToken(organizationId, token.id),
    onSuccess: async () => {
      close()
      toast(`${token.name} revoked.`)
      await refresh()
    },
  })
  const closeSecret = () => {
    rotation.reset()
    void refresh()
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${token.name}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
        items={[
          { label: 'Rotate…', onSelect: () => setAsked('rotate') },
          { label: 'Revoke…', isDanger: true, onSelect: () => setAsked('revoke') },
        ]}
      />
      {asked === 'rotate' ? (
        <ConfirmDialog
          title={`Rotate ${token.name}?`}
          text="You get a new token. The old one keeps working for 24 hours, so that you can change it in your directory."
          act="Rotate token"
          mutation={rotation}
          onClose={close}
        />
      ) : null}
      {asked === 'revoke' ? (
        <ConfirmDialog
          title={`Revoke ${token.name}?`}
          text="Your directory can no longer use this token. Members and groups stay as they are."
          act="Revoke token"
          mutation={revocation}
          onClose={close}
        />
      ) : null}
      {rotation.data === undefined ? null : <NewSecret secret={rotation.data} onClose={closeSecret} />}
    </>
  )
}

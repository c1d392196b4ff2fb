import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { signOnOfQuery } from '../api/sign-on.ts'
import { Button } from '../ui/button.tsx'

/** Offers the single sign-on of the organization that owns the domain of the address. */
export function SignOnOffer({ email, next }: { readonly email: string; readonly next: string }) {
  const domain = useSettled(domainOf(email))
  const found = useQuery({ ...signOnOfQuery(domain ?? ''), enabled: domain !== null })
  const offer = domain === null ? null : (found.data ?? null)
  if (offer === null) return null
  const start = () => {
    const url = new URL(offer.start, location.origin)
    // Without a page of its own, the sign-on leads to the organization.
    if (next !== '/console/') url.searchParams.set('next', next)
    location.assign(url)
  }
  return (
    <div className="flex flex-col gap-2">
      <Button kind="primary" icon={<Building2 size={16} aria-hidden="true" />} onClick={start}>
        Continue with {offer.organization}
      </Button>
      {offer.enforced ? (
        <p className="text-muted text-xs">
          {offer.organization} requires single sign-on. Its administrators can still use their password.
        </p>
      ) : null}
    </div>
  )
}

/** The domain of an address that looks complete, or null. */
function domainOf(email: string): string | null {
  return /^[^@\s]+@([^@\s]+\.[a-z0-9-]{2,})$/i.exec(email.trim())?.[1]?.toLowerCase() ?? null
}

const pauseMs = 300

/** The value once it has not changed for a moment, so that the server isn't asked at every keystroke. */
function useSettled(value: string | null): string | null {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled === value ? settled : null
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  BookOpen,
  Bookmark,
  Boxes,
  CreditCard,
  KeyRound,
  LogOut,
  type LucideIcon,
  Plus,
  Receipt,
  Settings,
  UserPlus,
  UserRound,
} from 'lucide-react'
import { consoleStateQuery } from '../api/console-state.ts'
import { keysQuery } from '../api/keys.ts'
import { keyHolderOf } from './key-holder.ts'
import { membersQuery } from '../api/members.ts'
import { modelPath, modelsQuery } from '../api/models.ts'
import { parseRequestId } from '../lib/request-id.ts'
import { useSettled } from '../lib/use-settled.ts'
import { useSavedViews } from '../ui/use-saved-views.ts'
import type { PaletteKind } from './find-in-palette.ts'
import type { NavigationEntry } from './navigation-entry.ts'
import { openDocs } from './open-docs.ts'
import { chooseTheme } from './theme.ts'
import { themeChoices } from './theme-choices.ts'
import { useNavigation } from './use-navigation.ts'
import { useSignOut } from './use-sign-out.ts'
import { useWorkspaces } from './use-workspaces.ts'
import { useWallet } from './wallet.ts'
import { mayAct, mayChangeCustomers, mayChangeKeys, mayPay, seesKeys } from './wallet-rights.ts'

export interface PaletteEntry {
  readonly id: string
  readonly kind: PaletteKind
  readonly label: string
  readonly icon: LucideIcon
  readonly words: string
  readonly open: () => void
}

/** Everything that the palette finds in the workspace without asking the API for the text. */
export function usePaletteEntries(): readonly PaletteEntry[] {
  return [...usePages(), ...useActions(), ...useViews(), ...useModels()]
}

/** The entry for a pasted request ID. */
export function useRequestEntry(text: string): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const requestId = parseRequestId(text)
  if (requestId === undefined) return []
  const open = () => void navigate({ to: '/requests/$requestId', params: { requestId } })
  return [{ id: requestId, kind: 'Request', label: `Open receipt ${requestId}`, icon: Receipt, words: '', open }]
}

// More rows would hide the other kinds.
const membersMax = 8

/** The members of the organization whose name or email address has the text. The API finds them among thousands. */
export function useMemberEntries(text: string): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const wallet = useWallet()
  const q = useSettled(text.trim())
  const isOn = q.length > 1 && mayAct(wallet, 'members.read')
  const { data } = useInfiniteQuery({ ...membersQuery(wallet.organizationId ?? '', { q }), enabled: isOn })
  if (!isOn || text.trim() === '') return []
  return (data?.pages[0]?.data ?? []).slice(0, membersMax).map(({ id, user }) => ({
    id: `member ${id}`,
    kind: 'Member',
    label: user.name.trim() === '' ? user.email : `${user.name} (${user.email})`,
    icon: UserRound,
    words: '',
    open: () => void navigate({ to: '/members/$memberId', params: { memberId: id } }),
  }))
}

function usePages(): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const { groups } = useNavigation()
  const pages = groups.flatMap(({ entries }) => entries.flatMap(pagesOf))
  return [
    ...pages.map(({ path, ...page }) => ({
      ...page,
      id: path,
      kind: 'Page' as const,
      open: () => void navigate({ to: path }),
    })),
    {
      id: '/settings',
      kind: 'Page',
      label: 'Settings',
      icon: Settings,
      words: 'profile sessions passkeys two-factor second factor password export data delete account',
      open: () => void navigate({ to: '/settings', search: { scope: undefined } }),
    },
  ]
}

function pagesOf({ icon, tabs, ...entry }: NavigationEntry) {
  return (tabs ?? [entry]).map(({ path, label, words }) => ({ path, label, words, icon }))
}

function useActions(): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const wallet = useWallet()
  const signOut = useSignOut()
  const { data: state } = useQuery(consoleStateQuery)
  const others = useWorkspaces().filter(({ isCurrent }) => !isCurrent)
  const actions: readonly (Omit<PaletteEntry, 'id' | 'kind'> & { readonly isHidden?: boolean })[] = [
    {
      label: 'Create API key',
      icon: Plus,
      words: 'new key secret',
      isHidden: !mayChangeKeys(wallet),
      open: () => void navigate({ to: '/keys', search: { create: true } }),
    },
    {
      label: 'Add customer',
      icon: Plus,
      words: 'new end user limit',
      isHidden: !mayChangeCustomers(wallet),
      open: () => void navigate({ to: '/customers', search: { create: true } }),
    },
    {
      label: 'Add member',
      icon: UserPlus,
      words: 'people invite user',
      isHidden: !mayAct(wallet, 'members.manage'),
      open: () => void navigate({ to: '/members', search: { add: true } }),
    },
    {
      label: 'Buy credit',
      icon: CreditCard,
      words: 'top up pay money',
      isHidden: !mayPay(wallet),
      open: () => void navigate({ to: '/credits' }),
    },
    ...others.map(({ name, open }) => ({
      label: `Switch to ${name}`,
      icon: ArrowLeftRight,
      words: 'workspace organization account',
      open,
    })),
    ...themeChoices.map(({ id, label, icon }) => ({
      label,
      icon,
      words: 'appearance color mode',
      open: () => chooseTheme(id),
    })),
    {
      label: 'Open documentation',
      icon: BookOpen,
      words: 'help docs guide manual api reference',
      isHidden: state?.documentation !== true,
      open: openDocs,
    },
    { label: 'Sign out', icon: LogOut, words: 'log out leave', open: signOut },
  ]
  return actions
    .filter(({ isHidden = false }) => !isHidden)
    .map(({ isHidden: _hidden, ...action }, index) => ({ ...action, id: `action ${index}`, kind: 'Action' }))
}

/** The saved views of tables. */
function useViews(): readonly PaletteEntry[] {
  const navigate = useNavigate()
  return useSavedViews().views.map(({ table, path, name, search }) => ({
    id: `view ${table} ${name}`,
    kind: 'View',
    label: name,
    icon: Bookmark,
    words: `${table} saved view`,
    // A view is stored text, so the router cannot know its parameters. The page parses them.
    open: () => void navigate({ to: path, search } as never),
  }))
}

function useModels(): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const { data } = useQuery(modelsQuery)
  return (data?.data ?? []).map(({ id, name }) => ({
    id: `model ${id}`,
    kind: 'Model',
    label: id,
    icon: Boxes,
    words: name.toLowerCase(),
    open: () => void navigate({ to: '/models/$author/$name', params: modelPath(id) }),
  }))
}

/** The API keys whose name has the text, or whose suffix or id equals it. The API finds them among thousands. */
export function useKeyEntries(text: string): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const wallet = useWallet()
  const q = useSettled(text.trim())
  const isOn = q.length > 1 && seesKeys(wallet)
  const { data } = useInfiniteQuery({ ...keysQuery(keyHolderOf(wallet), { q }), enabled: isOn })
  if (!isOn || text.trim() === '') return []
  return (data?.pages[0]?.data ?? []).map(({ id, name, keySuffix }) => ({
    id: `key ${id}`,
    kind: 'API key',
    label: name,
    icon: KeyRound,
    words: `${keySuffix} ${id}`.toLowerCase(),
    open: () => void navigate({ to: '/keys/$keyId', params: { keyId: id } }),
  }))
}

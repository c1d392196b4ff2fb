import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { classNames } from '../lib/class-names.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Header } from './header.tsx'
import { RoleGate } from './role-gate.tsx'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { shownView } from '../api/shown-view.ts'
import { stepUp } from '../api/step-up.ts'
import { useNavigation } from './use-navigation.ts'

// Most people are no operators.
const ViewBar = lazy(async () => ({ default: (await import('./view-bar.tsx')).ViewBar }))
const OperatorBar = lazy(async () => ({ default: (await import('./operator-bar.tsx')).OperatorBar }))
const Palette = lazy(() => import('./palette.tsx'))
const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'))
const CallDrawer = lazy(() => import('./call-drawer.tsx'))
const MoreSheet = lazy(() => import('./more-sheet.tsx'))

/** The height of the bar above everything. */
const barHeights = {
  view: '[--bar:4rem] md:[--bar:2.5rem] md:grid-rows-[auto_1fr]',
  operator: '[--bar:2rem] md:grid-rows-[auto_1fr]',
  none: '[--bar:0px]',
} as const

type Overlay = 'palette' | 'calls' | 'more' | null

/** The frame of every signed-in page: sidebar, header, and the overlays that open from anywhere. */
export function Shell() {
  const [overlay, setOverlay] = useState<Overlay>(null)
  useShortcuts({ onPalette: () => setOverlay('palette'), onCalls: () => setOverlay('calls') })
  const isStepUpAsked = useSyncExternalStore(stepUp.subscribe, stepUp.isAsked)
  const { scope } = useNavigation()
  const bar = shownView() !== null ? 'view' : scope === 'operator' ? 'operator' : 'none'
  const close = () => setOverlay(null)
  return (
    <div
      className={classNames(
        'flex min-h-dvh flex-col md:grid md:grid-cols-[232px_minmax(0,1fr)] print:block',
        barHeights[bar],
      )}
    >
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      {bar === 'none' ? null : (
        <Suspense fallback={<div className="col-span-full h-(--bar)" />}>
          {bar === 'view' ? <ViewBar /> : <OperatorBar />}
        </Suspense>
      )}
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header onPalette={() => setOverlay('palette')} onCalls={() => setOverlay('calls')} />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 pb-16 outline-none md:pb-0">
          <RoleGate>
            <Outlet />
          </RoleGate>
        </main>
      </div>
      <BottomBar onMore={() => setOverlay('more')} />
      <Suspense fallback={null}>
        {overlay === 'palette' ? <Palette onClose={close} /> : null}
        {isStepUpAsked ? <StepUpDialog /> : null}
        {overlay === 'calls' ? <CallDrawer onClose={close} /> : null}
        {overlay === 'more' ? <MoreSheet onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

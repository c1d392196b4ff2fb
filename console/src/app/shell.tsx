import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { BottomBar, Sidebar } from './sidebar.tsx'
import { Header } from './header.tsx'
import { useShortcuts } from './shortcuts.ts'
import { stepUp } from './step-up.ts'

const Palette = lazy(() => import('./palette.tsx'))
const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'))
const CallDrawer = lazy(() => import('./call-drawer.tsx'))

type Overlay = 'palette' | 'calls' | null

/** The frame of every signed-in page: sidebar, header, and the overlays that open from anywhere. */
export function Shell() {
  const [overlay, setOverlay] = useState<Overlay>(null)
  useShortcuts({ onPalette: () => setOverlay('palette'), onCalls: () => setOverlay('calls') })
  const isStepUpAsked = useSyncExternalStore(stepUp.subscribe, stepUp.isAsked)
  const close = () => setOverlay(null)
  return (
    <div className="flex min-h-dvh flex-col md:grid md:grid-cols-[232px_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header onPalette={() => setOverlay('palette')} onCalls={() => setOverlay('calls')} />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 pb-16 outline-none md:pb-0">
          <Outlet />
        </main>
      </div>
      <BottomBar />
      <Suspense fallback={null}>
        {overlay === 'palette' ? <Palette onClose={close} /> : null}
        {isStepUpAsked ? <StepUpDialog /> : null}
        {overlay === 'calls' ? <CallDrawer onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

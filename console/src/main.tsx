import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './app/query-client.ts'
import { router } from './router.tsx'
import { applyTheme } from './app/theme.ts'
import './style.css'
import { Toasts } from './ui/toast.tsx'

applyTheme()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no root')
// The content of index.html stays until the first page is ready. This is not awaited, because page chunks import this
// module.
void router.load().then(() => draw(root))

function draw(place: HTMLElement): void {
  createRoot(place).render(
    <StrictMode>
      {/* Base UI writes no style element: the policy of the page allows none. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}

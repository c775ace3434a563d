import './ui/language.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { applyTheme, storedTheme } from './layout/theme.ts';
import { router } from './router.tsx';
import { SessionGate } from './session/session.tsx';
import { ToastRegion } from './ui/toast.tsx';
import './styles/base.css';
import './styles/ui.css';
import './styles/layout.css';

applyTheme(storedTheme());

// The code of the page comes while the session is asked for; the page itself tells what fails.
router.load().catch(() => undefined);

createRoot(document.getElementById('console') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
      <ToastRegion />
    </QueryClientProvider>
  </StrictMode>,
);

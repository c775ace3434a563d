import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const BASE = '/console/';
const FIRST_PAGE = 'parts/overview/overview.tsx';

/** Lets the page ask for the code of the overview beside the script, which would ask for it after its start. */
const firstPage: Plugin = {
  name: 'first-page',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(FIRST_PAGE));
      if (!chunk) return [];
      const scripts = [chunk.fileName, ...chunk.imports].filter((name) => !html.includes(name));
      const needed = chunks.filter(({ fileName }) => scripts.includes(fileName));
      const styles = needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
      const linkTo = (name: string, attrs: Record<string, string>) => ({
        tag: 'link',
        attrs: { ...attrs, crossorigin: true, href: BASE + name },
      });
      return [
        ...scripts.map((name) => linkTo(name, { rel: 'modulepreload' })),
        ...styles.map((name) => linkTo(name, { rel: 'preload', as: 'style' })),
      ];
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  plugins: [react(), firstPage],
  build: {
    target: 'es2022',
    // The policy of the page allows no data: scripts, and hashed files are cached for ever.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // `npm run dev`, beside `npm run demo` on its default port.
    proxy: { '/api': { target: 'http://127.0.0.1:8080', changeOrigin: false } },
  },
});

import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { antdCssPlugin, antdStylesPlugin } from './scripts/antdCss'
import { portalChunks } from './scripts/portalChunks'
import { slimVendorsPlugin } from './scripts/slimVendors'

/** Where `npm run dev` runs the gateway; the dev server passes on what is not the portal's. */
const gateway = process.env.SWITCHBOARD_GATEWAY
const CALLS = ['/v2', '/auth', '/dcode', '/docs', '/health', '/ready', '/metrics']

/** The first script runs as soon as it is here, whatever else the page waits for. */
const earlyScriptPlugin = (): Plugin => ({
  name: 'early-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const early = Object.values(bundle ?? {}).find((part) => part.type === 'chunk' && part.name === 'early')
      if (!early) throw new Error('The build has no file of src/early.ts.')
      return [
        {
          tag: 'script',
          attrs: { type: 'module', async: true, crossorigin: true, src: `/${early.fileName}` },
          injectTo: 'head',
        },
      ]
    },
  },
})

/** The portal: a browser build with a manifest, from which the size budgets are checked. */
export default defineConfig({
  plugins: [react(), antdCssPlugin(), antdStylesPlugin(), slimVendorsPlugin(), earlyScriptPlugin()],
  server: { proxy: gateway ? Object.fromEntries(CALLS.map((path) => [path, { target: gateway, ws: false }])) : undefined },
  build: {
    modulePreload: {
      // what an icon stands on is there before any is drawn; a list of it for each would be longer than the icon
      resolveDependencies: (file, needed) => (/Outlined-[^/]*\.js$/.test(file) ? [] : needed),
    },
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: portalChunks() }] } },
    },
    outDir: 'dist/portal',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    sourcemap: false,
  },
})

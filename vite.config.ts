import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The portal: a browser build with a manifest, from which the size budgets are checked. */
export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist/portal', emptyOutDir: true, manifest: true, target: 'es2022', sourcemap: false },
})

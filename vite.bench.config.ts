import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The bench pages: a production build of their own, served without a gateway (bench/serve.mjs). */
export default defineConfig({
  root: 'bench',
  publicDir: false,
  plugins: [react()],
  build: { outDir: '../dist/bench', emptyOutDir: true, manifest: true, target: 'es2022', sourcemap: false },
})

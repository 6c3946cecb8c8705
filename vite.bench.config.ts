import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { antdCssPlugin } from './scripts/antdCss'

/** The bench pages: a production build of their own, served without a gateway (bench/serve.mjs). */
export default defineConfig({
  root: 'bench',
  publicDir: false,
  plugins: [react(), antdCssPlugin({ link: false, fileName: 'antd.css' })],
  build: { outDir: '../dist/bench', emptyOutDir: true, manifest: true, target: 'es2022', sourcemap: false },
})
